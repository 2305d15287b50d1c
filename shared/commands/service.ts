import { defineCommand } from './define.ts';

const getVersion = defineCommand({
	name: 'svc_get_version',
	title: 'Show the API version',
	summary: 'Asks the service for its API version: the cheapest proof that address and credentials work.',
	risk: 'read',
	request: 'GET /v1/version',
	args: {},
	result: { kind: 'record', noun: ['version', 'versions'], columns: [{ title: 'Version', path: 'version' }] },
	examples: ['svc_get_version'],
});

/** In the order of help and reference. */
export const serviceCommands = [getVersion] as const;
