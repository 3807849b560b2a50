export { ApprovalCard } from './approval-card'
