import { memo } from 'react'

/** The names of the drawn symbols: 16 grid, 1.4 stroke, `currentColor`. */
export const iconNames = [
  'agent',
  'alert',
  'arc',
  'archive',
  'bell',
  'block',
  'bob',
  'branch',
  'check',
  'clip',
  'clock',
  'copy',
  'cpu',
  'diff',
  'done',
  'down',
  'edit',
  'eye',
  'fail',
  'file',
  'filter',
  'folder',
  'fork',
  'globe',
  'grip',
  'idle',
  'image',
  'key',
  'keyb',
  'link',
  'lock',
  'low',
  'min',
  'more',
  'need',
  'offline',
  'out',
  'plan',
  'play',
  'plus',
  'queue',
  'read',
  'refresh',
  'right',
  'search',
  'send',
  'shield',
  'sideL',
  'sideR',
  'sliders',
  'split',
  'steer',
  'stop',
  'term',
  'tool',
  'trash',
  'undo',
  'win',
  'x',
] as const
export type IconName = (typeof iconNames)[number]

/** Every symbol once, hidden; `Icon` refers to them. Mounted by the app above everything else. */
export const IconSprite = memo(function IconSprite() {
  return (
    <svg className="sprite" aria-hidden="true">
      <defs>
        <symbol id="i-agent" viewBox="0 0 16 16">
          <circle cx="4" cy="3.6" r="1.6" />
          <circle cx="12" cy="6.2" r="1.6" />
          <circle cx="12" cy="12.4" r="1.6" />
          <path d="M4 5.200v4.200a3 3 0 0 0 3 3h3.400M4 6.200h6.4" />
        </symbol>
        <symbol id="i-alert" viewBox="0 0 16 16">
          <path d="M8 2.2 14.3 13.300H1.700z" />
          <path d="M8 6.500v3.200M8 11.500v.1" />
        </symbol>
        <symbol id="i-arc" viewBox="0 0 16 16">
          <path d="M8 2.300A5.7 5.7 0 1 1 2.3 8" strokeWidth="1.8" />
        </symbol>
        <symbol id="i-archive" viewBox="0 0 16 16">
          <path d="M2 3h12v3H2zM3 6v7h10V6M6.4 8.700h3.2" />
        </symbol>
        <symbol id="i-bell" viewBox="0 0 16 16">
          <path d="M3.5 11.500h9L11.3 9.500V6.800a3.3 3.3 0 0 0-6.6 0v2.700zM6.7 13.700h2.6" />
        </symbol>
        <symbol id="i-block" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="5.8" />
          <path d="m4 4 8 8" />
        </symbol>
        <symbol id="i-bob" viewBox="0 0 16 16">
          <path d="M8 1v5" />
          <path d="M8 6.2 10.6 8 8 14.8 5.4 8z" fill="currentColor" />
        </symbol>
        <symbol id="i-branch" viewBox="0 0 16 16">
          <circle cx="4.5" cy="3.5" r="1.5" />
          <circle cx="4.5" cy="12.5" r="1.5" />
          <circle cx="11.5" cy="5.5" r="1.5" />
          <path d="M4.5 5v6M11.5 7c0 2.5-7 1.5-7 4" />
        </symbol>
        <symbol id="i-check" viewBox="0 0 16 16">
          <path d="m3 8.5 3.3 3.300L13 4.8" />
        </symbol>
        <symbol id="i-clip" viewBox="0 0 16 16">
          <path d="m12.8 7.4-5 5a3 3 0 0 1-4.3-4.300l5.3-5.200a2 2 0 0 1 2.9 2.900l-5.2 5.100a1 1 0 0 1-1.5-1.400l4.7-4.7" />
        </symbol>
        <symbol id="i-clock" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="5.8" />
          <path d="M8 4.800V8l2.2 1.6" />
        </symbol>
        <symbol id="i-copy" viewBox="0 0 16 16">
          <rect x="5.5" y="5.5" width="8" height="8" rx="1" />
          <path d="M3.5 10.500h-1v-8h8v1" />
        </symbol>
        <symbol id="i-cpu" viewBox="0 0 16 16">
          <rect x="4" y="4" width="8" height="8" rx="1" />
          <path d="M6.5 1.800V4M9.5 1.800V4M6.5 12v2.200M9.5 12v2.200M1.8 6.500H4M1.8 9.500H4M12 6.500h2.200M12 9.500h2.2" />
        </symbol>
        <symbol id="i-diff" viewBox="0 0 16 16">
          <path d="M8 2.500v6M5 5.500h6M5 12.500h6" />
        </symbol>
        <symbol id="i-done" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="5.8" />
          <path d="m5.3 8.2 1.9 1.9 3.5-3.9" />
        </symbol>
        <symbol id="i-down" viewBox="0 0 16 16">
          <path d="M3.8 6 8 10.2 12.2 6" />
        </symbol>
        <symbol id="i-edit" viewBox="0 0 16 16">
          <path d="m2.5 13.5.7-3L10.4 3.300l2.3 2.3-7.2 7.200z" />
          <path d="m9 4.8 2.3 2.3" />
        </symbol>
        <symbol id="i-eye" viewBox="0 0 16 16">
          <path d="M1.5 8S4 3.6 8 3.6 14.5 8 14.5 8 12 12.4 8 12.4 1.5 8 1.5 8z" />
          <circle cx="8" cy="8" r="1.9" />
        </symbol>
        <symbol id="i-fail" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="5.8" />
          <path d="m5.9 5.9 4.2 4.200M10.1 5.900l-4.2 4.2" />
        </symbol>
        <symbol id="i-file" viewBox="0 0 16 16">
          <path d="M3.5 1.8h5.6l3.4 3.4v9h-9z" />
          <path d="M9 1.9v3.4h3.4" />
        </symbol>
        <symbol id="i-filter" viewBox="0 0 16 16">
          <path d="M2 3.500h12L9.5 9v4.500l-3-1.500V9z" />
        </symbol>
        <symbol id="i-folder" viewBox="0 0 16 16">
          <path d="M1.8 12.2V3.8h4.1l1.5 1.7h6.8v6.7z" />
        </symbol>
        <symbol id="i-fork" viewBox="0 0 16 16">
          <circle cx="8" cy="13" r="1.5" />
          <circle cx="3.8" cy="3" r="1.5" />
          <circle cx="12.2" cy="3" r="1.5" />
          <path d="M3.8 4.500c0 4 4.2 2.5 4.2 7M12.2 4.500c0 4-4.2 2.5-4.2 7" />
        </symbol>
        <symbol id="i-globe" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="5.9" />
          <path d="M2.2 8h11.600M8 2.200c4 3.6 4 8 0 11.600M8 2.200c-4 3.6-4 8 0 11.6" />
        </symbol>
        <symbol id="i-grip" viewBox="0 0 16 16">
          <path d="M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01" strokeWidth="1.8" />
        </symbol>
        <symbol id="i-idle" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="3.2" />
        </symbol>
        <symbol id="i-image" viewBox="0 0 16 16">
          <rect x="2" y="2.8" width="12" height="10.4" rx="1" />
          <circle cx="5.4" cy="6.2" r="1.1" />
          <path d="m2.5 12 3.7-3.6 2.4 2.2 2.4-2.4 2.6 2.6" />
        </symbol>
        <symbol id="i-key" viewBox="0 0 16 16">
          <circle cx="5" cy="11" r="2.8" />
          <path d="m7 9 6-6M11 5l1.8 1.8" />
        </symbol>
        <symbol id="i-keyb" viewBox="0 0 16 16">
          <rect x="1.5" y="4" width="13" height="8" rx="1" />
          <path d="M4 6.500h.01M6.7 6.500h.01M9.3 6.500h.01M12 6.500h.01M5 9.500h6" />
        </symbol>
        <symbol id="i-link" viewBox="0 0 16 16">
          <path d="M6.8 9.200a2.8 2.8 0 0 0 4 0l2-2a2.8 2.8 0 0 0-4-4l-1 1M9.2 6.800a2.8 2.8 0 0 0-4 0l-2 2a2.8 2.8 0 0 0 4 4l1-1" />
        </symbol>
        <symbol id="i-lock" viewBox="0 0 16 16">
          <rect x="3.3" y="7" width="9.4" height="6.7" rx="1" />
          <path d="M5.3 7V5a2.7 2.7 0 0 1 5.4 0v2" />
        </symbol>
        <symbol id="i-low" viewBox="0 0 16 16">
          <rect x="1.8" y="2.8" width="12.4" height="10.4" rx="1" />
          <path d="M2 9.500h12" />
        </symbol>
        <symbol id="i-min" viewBox="0 0 16 16">
          <path d="M3.5 8h9" />
        </symbol>
        <symbol id="i-more" viewBox="0 0 16 16">
          <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.2" />
        </symbol>
        <symbol id="i-need" viewBox="0 0 16 16">
          <path d="M8 1.6 14.4 8 8 14.4 1.6 8z" fill="currentColor" stroke="none" />
        </symbol>
        <symbol id="i-offline" viewBox="0 0 16 16">
          <path d="M2 2l12 12M4.5 9.500a5 5 0 0 1 2.3-1.300M11.5 9.500l-.6-.5M2.3 6.800A8.5 8.5 0 0 1 5 5.100M13.7 6.800A8.4 8.4 0 0 0 7.5 4.600M8 12.500v.01" />
        </symbol>
        <symbol id="i-out" viewBox="0 0 16 16">
          <path d="M9 2.500h4.500V7M13.3 2.7 7.5 8.500M11.5 9v4.500h-9v-9H7" />
        </symbol>
        <symbol id="i-plan" viewBox="0 0 16 16">
          <path d="M2.5 4 4 5.5 6.5 2.800M2.5 11 4 12.500l2.5-2.700M8.5 4.200h5M8.5 11.200h5" />
        </symbol>
        <symbol id="i-play" viewBox="0 0 16 16">
          <path d="m5 3.2 7.5 4.800L5 12.800z" />
        </symbol>
        <symbol id="i-plus" viewBox="0 0 16 16">
          <path d="M8 3v10M3 8h10" />
        </symbol>
        <symbol id="i-queue" viewBox="0 0 16 16">
          <path d="M2.5 4h11M2.5 8h7M2.5 12h7M12.5 9v5M10.5 12l2 2 2-2" />
        </symbol>
        <symbol id="i-read" viewBox="0 0 16 16">
          <path d="M3.5 1.8h9v12.4h-9z" />
          <path d="M5.8 5h4.4M5.8 8h4.4M5.8 11h2.4" />
        </symbol>
        <symbol id="i-refresh" viewBox="0 0 16 16">
          <path d="M13.3 6.500A5.5 5.5 0 1 0 13.5 9M13.5 2.800v3.800H9.7" />
        </symbol>
        <symbol id="i-right" viewBox="0 0 16 16">
          <path d="m6 3.8 4.2 4.200L6 12.2" />
        </symbol>
        <symbol id="i-search" viewBox="0 0 16 16">
          <circle cx="7" cy="7" r="4.4" />
          <path d="m10.3 10.3 3.5 3.5" />
        </symbol>
        <symbol id="i-send" viewBox="0 0 16 16">
          <path d="M8 13V3.500M4 7.300l4-4 4 4" />
        </symbol>
        <symbol id="i-shield" viewBox="0 0 16 16">
          <path d="M8 1.8 13 3.600v4c0 3.3-2 5.4-5 6.6-3-1.2-5-3.3-5-6.600v-4z" />
        </symbol>
        <symbol id="i-sideL" viewBox="0 0 16 16">
          <rect x="1.8" y="2.8" width="12.4" height="10.4" rx="1" />
          <path d="M6 3v10" />
        </symbol>
        <symbol id="i-sideR" viewBox="0 0 16 16">
          <rect x="1.8" y="2.8" width="12.4" height="10.4" rx="1" />
          <path d="M10 3v10" />
        </symbol>
        <symbol id="i-sliders" viewBox="0 0 16 16">
          <path d="M2 4.500h6M11.5 4.500H14M2 11.500h2.500M8 11.500h6" />
          <circle cx="9.7" cy="4.5" r="1.7" />
          <circle cx="6.2" cy="11.5" r="1.7" />
        </symbol>
        <symbol id="i-split" viewBox="0 0 16 16">
          <rect x="1.8" y="2.8" width="12.4" height="10.4" rx="1" />
          <path d="M8 3v10" />
        </symbol>
        <symbol id="i-steer" viewBox="0 0 16 16">
          <path d="M3 13.500V9a3 3 0 0 1 3-3h7M10 3l3 3-3 3" />
        </symbol>
        <symbol id="i-stop" viewBox="0 0 16 16">
          <rect x="4.2" y="4.2" width="7.6" height="7.6" rx="1" fill="currentColor" stroke="none" />
        </symbol>
        <symbol id="i-term" viewBox="0 0 16 16">
          <rect x="1.8" y="2.8" width="12.4" height="10.4" rx="1" />
          <path d="m4.5 6 2 2-2 2M8.2 10.200h3" />
        </symbol>
        <symbol id="i-tool" viewBox="0 0 16 16">
          <path d="M9.5 5.800a3.3 3.3 0 0 1 4.3-3.300l-2 2 .8 1.2 1.4.3 0 0a3.3 3.3 0 0 1-4.2 2.400L5 13.300A1.6 1.6 0 0 1 2.7 11z" />
        </symbol>
        <symbol id="i-trash" viewBox="0 0 16 16">
          <path d="M2.8 4.200h10.400M6 4V2.500h4V4M4.2 4.400l.6 9.100h6.400l.6-9.100M6.7 7v4M9.3 7v4" />
        </symbol>
        <symbol id="i-undo" viewBox="0 0 16 16">
          <path d="M5.5 2.8 2.5 6l3 3.200M2.7 6h7a3.7 3.7 0 0 1 0 7.400H6" />
        </symbol>
        <symbol id="i-win" viewBox="0 0 16 16">
          <rect x="3.5" y="3.5" width="9" height="9" />
        </symbol>
        <symbol id="i-x" viewBox="0 0 16 16">
          <path d="m4 4 8 8M12 4l-8 8" />
        </symbol>
      </defs>
    </svg>
  )
})
