import { serveTasks } from '../platform/worker-tasks'
import { findTask } from './find-task'
import { grepTask } from './grep-task'

serveTasks({ grep: grepTask, find: findTask })
