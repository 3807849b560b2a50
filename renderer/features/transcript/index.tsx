export { Transcript } from './transcript'
