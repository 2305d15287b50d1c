import { CordonError } from '#shared/contract/errors.ts';

import type { Runner, RunnerServices } from './types.ts';

/** The one way to run a command: check, guard, log the intent, execute, log the outcome. */
export function createRunner(_services: RunnerServices): Runner {
  throw new CordonError('internal', 'The runner is not written yet.');
}
