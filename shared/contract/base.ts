import {oc, type} from '@orpc/contract'

import type {ErrorReport} from './errors.ts'

/** Every procedure fails with an error of the closed table. */
export const base = oc.errors({CORDON: {status: 500, data: type<ErrorReport>()}})
