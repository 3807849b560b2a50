export { gitInfoTool } from '../o4/git-info'
