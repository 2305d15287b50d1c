/** The SDK's client, over HTTP or a child process. */
import {Client, StreamableHTTPClientTransport, type ClientOptions} from '@modelcontextprotocol/client'
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio'

function clientOf(options: ClientOptions) {
	return new Client({name: 'probe', version: '1'}, {versionNegotiation: {mode: 'auto'}, ...options})
}

export async function overHttp(address: string, token: string, options: ClientOptions = {}): Promise<Client> {
	const client = clientOf(options)
	const requestInit = {headers: {authorization: `Bearer ${token}`}}
	await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), {requestInit}))
	return client
}

export async function overStdio(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Client> {
	const client = clientOf({})
	await client.connect(new StdioClientTransport({command: process.execPath, args: [...args], env: {...env}, stderr: 'ignore'}))
	return client
}

export function textOf({content}: Awaited<ReturnType<Client['callTool']>>) {
	return content[0]?.type === 'text' ? content[0].text : ''
}

export type {Client, ClientOptions}
