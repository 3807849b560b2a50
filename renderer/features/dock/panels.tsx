import { lazy } from 'react'

// The editor and the terminal weigh more than the rest of the window: they are loaded when they are first shown.
export const Changes = lazy(() => import('../changes'))
export const Timeline = lazy(() => import('../timeline'))
export const Terminal = lazy(() => import('../terminal'))
