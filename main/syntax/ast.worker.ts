import { serveTasks } from '../platform/worker-tasks'
import { astSearchTask } from './ast-search-task'
import { outlineTask } from './outline-task'

serveTasks({ search: astSearchTask, outline: outlineTask })
