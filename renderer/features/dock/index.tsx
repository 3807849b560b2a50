export { DockLower } from './dock-lower'
export { DockRail } from './dock-rail'
export { DockUpper } from './dock-upper'
