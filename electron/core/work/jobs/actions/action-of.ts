import type { JobAction } from '#shared/model/job.ts';

import { hashAction } from './hashes.ts';
import { isolationAction } from './isolation.ts';
import { moveAction } from './move.ts';
import { policiesAction } from './policies.ts';
import type { Action, ReadServices } from './types.ts';

/** `job` goes into the comment of an isolation, so that the service's own record leads to our log. */
export function actionOf(services: ReadServices, action: JobAction, job: string): Action {
	switch (action.kind) {
		case 'isolate':
		case 'release':
			return isolationAction(services, action, commentOf(action.reason, action.ticket, job));
		case 'move':
			return moveAction(services, action);
		case 'policies':
			return policiesAction(services, action);
		case 'add_hashes':
		case 'remove_hashes':
		case 'change_hashes':
			return hashAction(services, action);
	}
}

function commentOf(reason: string, ticket: string | null, job: string): string {
	return `${reason}${ticket === null || ticket === '' ? '' : ` [${ticket}]`} (Cordon job ${job})`;
}
