export { StatusLine } from './status-line'
