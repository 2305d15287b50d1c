/** An origin for playbooks, as a line of the guard rules: `https://host[:port]`, with ` private` after a private one. */
export interface AllowedOrigin {
	readonly origin: string
	/** Its address may belong to this network or computer. */
	readonly private: boolean
}

/** `undefined`: invalid. Without TLS only a private one. */
export function readOrigin(text: string): AllowedOrigin | undefined {
	const [, scheme = '', host = '', port = '', mark] = /^(https?):\/\/([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?( private)?$/i.exec(text.trim()) ?? []
	const [protocol, isPrivate] = [scheme.toLowerCase(), mark !== undefined]
	if (host === '' || (protocol === 'http' && !isPrivate)) return undefined
	const usual = protocol === 'https' ? ':443' : ':80'
	return {origin: `${protocol}://${host.toLowerCase()}${port === usual ? '' : port}`, private: isPrivate}
}
