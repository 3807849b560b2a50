export { SessionList } from './session-list'
export { SessionRail } from './session-rail'
