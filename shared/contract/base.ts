import {oc, type} from '@orpc/contract'
import {z} from 'zod'

import type {ErrorReport} from './errors.ts'

/** Every procedure fails with an error of the closed table. */
export const base = oc.errors({CORDON: {status: 500, data: type<ErrorReport>()}})

/** A procedure that takes these fields. */
export const given = <Fields extends z.ZodRawShape>(fields: Fields) => base.input(z.object(fields))

/** Rows that a page asks for. */
export const window = {offset: z.int().min(0), limit: z.int().min(1).max(500)}

export const connection = z.string().min(1)
export const onConnection = z.object({connection})
export const onObject = onConnection.extend({guid: z.string().min(1)})
export const incident = z.string().nullable().default(null)
