export { ConnectPage, Start } from './start'
