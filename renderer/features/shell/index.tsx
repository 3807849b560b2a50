export { Shell } from './shell'
