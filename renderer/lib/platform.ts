/** Whether Cmd takes the place of Ctrl. Known before the main process answers, so that keys work from the start. */
export const isMac: boolean = /Mac/i.test(navigator.userAgent)
