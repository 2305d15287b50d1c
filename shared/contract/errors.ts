/**
 * The closed table of all errors, with who has to act and what to do. The service's own texts are described in its API reference,
 * "Errors"; `docs/reference/errors.md` is generated from here.
 */
import type {Drift} from '../model/job.ts'

/** Who has to act: the operator, the service, the network, or this program. */
type Fault = 'operator' | 'service' | 'network' | 'cordon'

/** Whether the same request can succeed later: never unchanged, now, after a wait, or only after reading the state. */
type RetryAdvice = 'no' | 'now' | 'later' | 'read_first'

interface ErrorEntry {
	fault: Fault
	retry: RetryAdvice
	/** Process exit code of the command line. */
	exit: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 70 | 130
	/** One sentence for an operator; the error's own message is more specific where possible. */
	sentence: string
}

function of(fault: Fault, retry: RetryAdvice, exit: ErrorEntry['exit'], sentence: string): ErrorEntry {
	return {fault, retry, exit, sentence}
}

/** The operator's to mend; the same request never succeeds. */
function yours(exit: ErrorEntry['exit'], sentence: string) {
	return of('operator', 'no', exit, sentence)
}

const table = {
	// The operator's input.
	usage: yours(2, 'Request not recognised.'),
	invalid_argument: yours(2, 'Invalid argument value.'),
	unknown_command: yours(2, 'There is no such command.'),
	no_connection: yours(2, 'No connection is configured.'),
	unknown_connection: yours(3, 'There is no connection of that name.'),
	insecure_url: yours(2, 'Plain http: is accepted for loopback addresses only.'),
	unknown_instance: yours(3, 'There is no instance of that name.'),
	unknown_job: yours(3, 'There is no such job or plan.'),
	unknown_run: yours(3, 'There is no such run.'),
	taken: yours(2, 'That name or port is already in use.'),
	unknown_playbook: yours(3, 'There is no such playbook.'),
	approval_denied: yours(7, 'Approval denied. Nothing more was sent.'),
	/** The change waits: the message names its approval. */
	approval_needed: of('operator', 'later', 5, 'A second person has to approve this. Nothing was sent.'),
	unknown_approval: yours(3, 'There is no such approval or key.'),
	approval_timed_out: of('operator', 'now', 8, 'Approval timed out. Nothing more was sent.'),
	confirmation_needed: yours(2, 'Confirmation required. Nothing was changed.'),
	bad_certificate: yours(2, 'The certificate and key cannot be used.'),
	// Refused by this program before anything was sent.
	read_only: yours(4, 'This connection is read-only. Nothing was sent.'),
	protected: yours(4, 'Blocked by a guard rule. Nothing was sent.'),
	managed: yours(4, 'Set by your administrator. Nothing was changed.'),
	busy: of('operator', 'later', 5, 'Another change to this object is still in progress. Nothing was sent.'),
	token_refused: yours(4, 'This token is unknown, expired or revoked. Nothing was done.'),
	out_of_scope: yours(4, 'This token does not permit that. Nothing was done.'),
	key_reused: yours(2, 'This Idempotency-Key belongs to another request. Nothing was done.'),
	plan_drifted: of('operator', 'read_first', 5, 'Targets changed since planning. Nothing was sent. Create a new plan.'),
	log_unavailable: of('cordon', 'later', 70, 'The incident log cannot be written. Nothing was sent.'),
	secret_unavailable: yours(4, 'The API key of this connection cannot be read from the secret store.'),
	write_not_permitted: of('cordon', 'no', 1, 'Guard checks were skipped. Nothing was sent. Report this bug.'),
	cancelled: of('operator', 'now', 130, 'Cancelled.'),
	// Responses of the service.
	bad_request: yours(1, 'The service did not accept the request.'),
	unauthorized: yours(4, 'Client ID or API key rejected. Check the connection.'),
	forbidden: yours(4, 'This API key lacks permission.'),
	not_found: yours(3, 'The service has no such object; it may have been deleted elsewhere.'),
	isolation_not_allowed: yours(4, "Isolation is not allowed by this computer's policy."),
	conflict: of('operator', 'read_first', 5, 'The object is already in another state.'),
	rate_limited: of('service', 'later', 6, 'API limit reached. Wait for the reset.'),
	service_error: of('service', 'later', 1, 'The service answered with an error of its own.'),
	unexpected_status: of('service', 'no', 1, 'The service answered with a status that is not part of its API.'),
	unexpected_redirect: of('service', 'no', 1, 'The service redirected to another address; credentials are never sent there.'),
	errors_in_success: of('service', 'read_first', 1, 'The service reported success together with errors.'),
	empty_body: of('service', 'now', 1, 'The service answered without a body.'),
	bad_json: of('service', 'now', 1, "The service's answer is not JSON."),
	unexpected_shape: of('service', 'no', 1, "The service's answer does not have the documented form."),
	truncated: of('network', 'now', 1, "The service's answer ended too early."),
	too_large: of('service', 'no', 1, "The service's answer is larger than this program accepts."),
	incomplete: of('service', 'now', 1, 'Some pages of the listing could not be read.'),
	// The network path to the service.
	dns: of('network', 'later', 1, "The service's host name cannot be resolved."),
	refused: of('network', 'later', 1, 'The connection was refused: no program answers at that address, or a firewall refuses it.'),
	unreachable: of('network', 'later', 1, 'The service cannot be reached.'),
	reset: of('network', 'now', 1, 'The connection was closed before the answer arrived.'),
	connect_timeout: of('network', 'later', 1, 'No connection within 10 seconds.'),
	response_timeout: of('network', 'later', 1, 'No answer within the time allowed.'),
	tls: of('network', 'no', 1, "The service's certificate is not trusted."),
	proxy: of('network', 'later', 1, 'The proxy refused the connection.'),
	outcome_unknown: of('network', 'read_first', 9, 'Outcome unknown. The change may have been applied. Check the current state before retrying.'),
	wait_timeout: of('service', 'later', 1, 'Timed out waiting for the requested state.'),
	// This program.
	disk_full: of('operator', 'later', 1, 'The disk is full.'),
	storage: of('cordon', 'later', 1, 'The local store cannot be used.'),
	internal: of('cordon', 'no', 1, 'Something went wrong inside Cordon.')
}

export type ErrorCode = keyof typeof table

export const errorTable: Readonly<Record<ErrorCode, ErrorEntry>> = table

export const errorCodes = Object.keys(table) as readonly ErrorCode[] // the keys of the literal above, nothing else

/** A read as sent to the service. */
export interface Asked {
	readonly method: 'GET' | 'OPTIONS'
	readonly url: string
}

/** Facts of an error; all optional, none ever a secret. */
export type ErrorDetails = Readonly<{
	/** The argument or setting at fault, as spelled in the catalogue or form. */
	field?: string
	/** HTTP status of the response. */
	status?: number
	/** `X-Request-Id` of the response, for the service's support. */
	requestId?: string
	/** The failed read, so that it can be tried without this program. Never a change, never a credential. */
	asked?: Asked
	/** The service's text, joined from `errors[].details`. */
	service?: string
	/** ISO 8601 time from which a retry makes sense. */
	retryAt?: string
	/** What to do, if more specific than the table's sentence. */
	fix?: string
	/** Offsets of pages that are missing from a listing. */
	missing?: readonly number[]
	/** The object's state, from a 409 or a reading. */
	state?: string
	/** The approval it waits for. */
	approval?: string
	/** The first targets that changed since planning; the message has the total number. */
	drift?: readonly Drift[]
	/** Faults of a file with their lines, in file order. */
	problems?: readonly {line: number; key: string; problem: string; fix: string}[]
}>

/** An error of the closed table. `message` is a full sentence for an operator. */
export class CordonError extends Error {
	override readonly name = 'CordonError'
	readonly code: ErrorCode
	readonly details: ErrorDetails

	constructor(code: ErrorCode, message?: string, details: ErrorDetails = {}, options?: ErrorOptions) {
		super(message ?? errorTable[code].sentence, options)
		this.code = code
		this.details = details
	}
}

const at = (field: string | undefined): ErrorDetails => (field === undefined ? {} : {field})

/** `field`: the argument at fault. */
export function invalidArgument(message: string, field?: string): CordonError {
	return new CordonError('invalid_argument', message, at(field))
}

export function usageError(message: string, field?: string): CordonError {
	return new CordonError('usage', message, at(field))
}

export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is CordonError {
	return error instanceof CordonError && codes.includes(error.code)
}

/** `null`: the service has no such object. */
export async function foundOrNull<T>(work: Promise<T>): Promise<T | null> {
	try {
		return await work
	} catch (error) {
		if (hasCode(error, 'not_found')) return null
		throw error
	}
}

/** The form of an error on the wire, in the log and in `--json`. */
export interface ErrorReport extends ErrorDetails {
	readonly code: ErrorCode
	readonly message: string
	readonly fault: Fault
	readonly retry: RetryAdvice
}

/** Any thrown value as a report; unknown ones become `internal`, without their stack. */
export function reportError(error: unknown): ErrorReport {
	const known = knownError(error) ?? new CordonError('internal', describe(error))
	const {fault, retry} = errorTable[known.code]
	return {code: known.code, message: known.message, fault, retry, ...known.details}
}

/** The inverse of {@link reportError}, for the far side of the wire. */
export function errorFromReport(report: ErrorReport): CordonError {
	const {code, message, fault: _fault, retry: _retry, ...details} = report
	return new CordonError(code, message, details)
}

export function exitCodeOf(code: ErrorCode) {
	return errorTable[code].exit
}

/** Its message, whatever was thrown. */
export function messageOf(error: unknown) {
	return error instanceof Error ? error.message : String(error)
}

/** Of an error of the system, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** With the way out, where one is known. */
export function messageWithFix(error: unknown) {
	const known = knownError(error) ?? error
	const fix = known instanceof CordonError ? known.details.fix : undefined
	return fix === undefined ? messageOf(known) : `${messageOf(known)} ${fix}`
}

/** An error of the table; a file that found no room is one, too. */
export function knownError(error: unknown): CordonError | undefined {
	if (error instanceof CordonError) return error
	const code = systemCode(error)
	return code === 'ENOSPC' || code === 'EDQUOT' ? new CordonError('disk_full', undefined, {}, {cause: error}) : undefined
}

function describe(error: unknown) {
	return error instanceof Error ? `Something went wrong inside Cordon: ${error.message}` : errorTable.internal.sentence
}
