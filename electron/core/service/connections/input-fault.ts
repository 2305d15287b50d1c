import {type CordonError, invalidArgument} from '#contract/errors.ts'

const labels: Readonly<Record<string, string>> = {
	name: 'The name',
	url: 'The server URL',
	clientId: 'The client ID',
	apiKey: 'The API key',
	insecure: 'Trust any certificate',
	colour: 'The colour',
	environment: 'The environment',
	readOnly: 'Read-only',
	proxy: 'The proxy',
	proxyLogin: 'The user name and password of the proxy',
	ca: 'The own authorities',
}

/** `problem` completes "The name …". */
export function invalidField(field: string, problem: string): CordonError {
	return invalidArgument(`${labels[field] ?? field} ${problem}.`, field)
}
