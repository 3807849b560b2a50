import type { Session, WebContents } from 'electron'

/**
 * What our page may load. Monaco and xterm write inline styles, hence `unsafe-inline` for styles alone; nothing comes
 * from the network, no plug-in, no frame, no form, no other base address.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "worker-src 'self' blob:",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-src 'none'",
].join('; ')

/** Applies to all windows of the session: the policy on every answer, no permission of any kind. */
export function secureSession(session: Session): void {
  session.webRequest.onHeadersReceived((details, callback) => {
    callback({
      responseHeaders: { ...details.responseHeaders, 'Content-Security-Policy': [contentSecurityPolicy] },
    })
  })
  session.setPermissionRequestHandler((_contents, _permission, callback) => callback(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
}

/** The contents stay on the page they were given: no navigation, no window, no embedded view. */
export function secureContents(contents: WebContents, isOwnPage: (url: string) => boolean): void {
  const stay = (event: { preventDefault(): void }, url: string) => {
    if (!isOwnPage(url)) event.preventDefault()
  }
  contents.on('will-navigate', (event) => stay(event, event.url))
  contents.on('will-redirect', (event) => stay(event, event.url))
  contents.on('will-frame-navigate', (event) => stay(event, event.url))
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}
