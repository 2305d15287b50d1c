/** Procedures of the local API, its tokens, and its reference. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, given} from './base.ts'
import {
	doorChangeSchema,
	doorSubjectSchema,
	newTokenSchema,
	type AccessToken,
	type ApiOperation,
	type DoorState,
	type DoorTest,
	type MadeToken
} from '../model/door.ts'

export const doorsContract = {
	state: base.output(type<DoorState>()),
	/** Takes effect at once; a failed listener reports the reason in its state. */
	set: base.input(doorChangeSchema).output(type<DoorState>()),
	/** Newest first, without the tokens themselves. */
	tokens: base.output(type<readonly AccessToken[]>()),
	/** Shows the token, only this once. */
	create: base.input(newTokenSchema).output(type<MadeToken>()),
	revoke: given({id: z.string().min(1).max(100)}).output(type<AccessToken>()),
	/** Sends a request through the API with a new token that is revoked at once, or as an existing one, without counting as its use. */
	test: base.input(doorSubjectSchema).output(type<DoorTest>()),
	reference: base.output(type<readonly ApiOperation[]>())
}
