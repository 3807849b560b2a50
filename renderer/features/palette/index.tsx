export { Palette } from './palette'
