/**
 * Asks the person at the assistant why a change is proposed, if the client can ask. The answer is a reason for the
 * approver, and approves nothing. The state sent to the client and back is sealed with a key of this
 * process, valid for ten minutes, for this call of this token, once.
 */
import {
	acceptedContent,
	CLIENT_CAPABILITIES_META_KEY,
	createRequestStateCodec,
	inputRequired,
	type ElicitInputParams,
	type ServerContext
} from '@modelcontextprotocol/server'

import {invalidArgument} from '#contract/errors.ts'

import {digestOfJson} from '#base/canonical.ts'
import {systemRandom} from '#base/system.ts'

interface Sealed {
	/** Digest of token, tool and arguments. */
	call: string
	nonce: string
}

const mostOpen = 100
const asked: ElicitInputParams['requestedSchema'] = {
	type: 'object',
	properties: {reason: {type: 'string', title: 'Reason', minLength: 1, maxLength: 500}},
	required: ['reason']
}

export type Reasons = ReturnType<typeof createReasons>

export function createReasons() {
	const codec = createRequestStateCodec<Sealed>({key: systemRandom(32), ttlSeconds: 600})
	const open = new Set<string>()
	return {
		/** Opens the returned state; throws if it was altered. */
		verify: codec.verify,
		/** The reason, or the question to ask. Throws `invalid_argument`, also for a used state or one of another call. */
		reasonFor: async (what: unknown, title: string, context: ServerContext) => {
			const call = digestOfJson(what)
			const state = context.mcpReq.requestState<Sealed>()
			if (state !== undefined) {
				if (state.call !== call || !open.delete(state.nonce))
					throw invalidArgument('This requestState is of another call, or was used. Nothing was proposed.', 'requestState')
				const reason = acceptedContent(context.mcpReq.inputResponses, 'reason')?.['reason']
				return typeof reason === 'string' && reason.trim() !== '' ? reason : missing()
			}
			if (!canAsk(context)) return missing()
			const nonce = Buffer.from(systemRandom(16)).toString('base64url')
			for (const oldest of open) if (open.size >= mostOpen) open.delete(oldest)
			open.add(nonce)
			const message = `Why should Cordon propose this? ${title}. The person who approves it in Cordon reads the reason.`
			return inputRequired({
				inputRequests: {reason: inputRequired.elicit({message, requestedSchema: asked})},
				requestState: await codec.mint({call, nonce})
			})
		}
	}
}

function canAsk({mcpReq}: ServerContext) {
	const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {}
	const {elicitation} = (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as {elicitation?: {form?: unknown; url?: unknown}} // checked by the SDK
	return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

function missing(): never {
	throw invalidArgument('Say why, in reason, for the person who approves it in Cordon. Nothing was proposed.', 'reason')
}
