export { Composer } from './composer'
