import type {openManaged} from './managed.ts'

/**
 * What an administrator set and locked. Looked up fresh each time, so that a change holds at once, in every process.
 * Everything that refuses throws `managed` and names the field.
 */
export type Managed = ReturnType<typeof openManaged>
