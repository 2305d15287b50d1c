/**
 * The closed table of all errors, with who has to act and what to do. The service's own texts are described in its API reference,
 * "Errors"; `docs/reference/errors.md` is generated from here.
 */
import type {Drift} from '../model/job.ts'

/** Who has to act: the operator, the service, the network, or this program. */
export type Fault = 'operator' | 'service' | 'network' | 'cordon'

/** Whether the same request can succeed later: never unchanged, now, after a wait, or only after reading the state. */
export type RetryAdvice = 'no' | 'now' | 'later' | 'read_first'

interface ErrorEntry {
	readonly fault: Fault
	readonly retry: RetryAdvice
	/** Process exit code of the command line. */
	readonly exit: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 70 | 130
	/** One sentence for an operator; the error's own message is more specific where possible. */
	readonly sentence: string
}

const table = {
	// The operator's input.
	usage: {fault: 'operator', retry: 'no', exit: 2, sentence: 'Command not recognised. Run "cordon help".'},
	invalid_argument: {fault: 'operator', retry: 'no', exit: 2, sentence: 'Invalid argument value.'},
	unknown_command: {fault: 'operator', retry: 'no', exit: 2, sentence: 'There is no such command.'},
	no_connection: {fault: 'operator', retry: 'no', exit: 2, sentence: 'No connection is configured.'},
	unknown_connection: {fault: 'operator', retry: 'no', exit: 2, sentence: 'There is no connection of that name.'},
	insecure_url: {fault: 'operator', retry: 'no', exit: 2, sentence: 'Plain http: is accepted for loopback addresses only.'},
	unknown_instance: {fault: 'operator', retry: 'no', exit: 3, sentence: 'There is no instance of that name.'},
	unknown_job: {fault: 'operator', retry: 'no', exit: 3, sentence: 'There is no such job or plan.'},
	unknown_run: {fault: 'operator', retry: 'no', exit: 3, sentence: 'There is no such run.'},
	taken: {fault: 'operator', retry: 'no', exit: 2, sentence: 'That name or port is already in use.'},
	unknown_playbook: {fault: 'operator', retry: 'no', exit: 3, sentence: 'There is no such playbook.'},
	approval_denied: {fault: 'operator', retry: 'no', exit: 7, sentence: 'Approval denied. Nothing more was sent.'},
	/** The change waits: the message names its approval. */
	approval_needed: {
		fault: 'operator',
		retry: 'later',
		exit: 5,
		sentence: 'A second person has to approve this. Nothing was sent.',
	},
	unknown_approval: {fault: 'operator', retry: 'no', exit: 3, sentence: 'There is no such approval or key.'},
	approval_timed_out: {fault: 'operator', retry: 'now', exit: 8, sentence: 'Approval timed out. Nothing more was sent.'},
	confirmation_needed: {fault: 'operator', retry: 'no', exit: 2, sentence: 'Confirmation required. Nothing was changed.'},
	bad_certificate: {fault: 'operator', retry: 'no', exit: 2, sentence: 'The certificate and key cannot be used.'},
	// Refused by this program before anything was sent.
	read_only: {fault: 'operator', retry: 'no', exit: 4, sentence: 'This connection is read-only. Nothing was sent.'},
	protected: {fault: 'operator', retry: 'no', exit: 4, sentence: 'Blocked by a guard rule. Nothing was sent.'},
	managed: {fault: 'operator', retry: 'no', exit: 4, sentence: 'Set by your administrator. Nothing was changed.'},
	busy: {
		fault: 'operator',
		retry: 'later',
		exit: 5,
		sentence: 'Another change to this object is still in progress. Nothing was sent.',
	},
	token_refused: {
		fault: 'operator',
		retry: 'no',
		exit: 4,
		sentence: 'This token is unknown, expired or revoked. Nothing was done.',
	},
	out_of_scope: {fault: 'operator', retry: 'no', exit: 4, sentence: 'This token does not permit that. Nothing was done.'},
	key_reused: {
		fault: 'operator',
		retry: 'no',
		exit: 2,
		sentence: 'This Idempotency-Key belongs to another request. Nothing was done.',
	},
	plan_drifted: {
		fault: 'operator',
		retry: 'read_first',
		exit: 5,
		sentence: 'Targets changed since planning. Nothing was sent. Create a new plan.',
	},
	log_unavailable: {fault: 'cordon', retry: 'later', exit: 70, sentence: 'The incident log cannot be written. Nothing was sent.'},
	secret_unavailable: {
		fault: 'operator',
		retry: 'no',
		exit: 4,
		sentence: 'The API key of this connection cannot be read from the secret store.',
	},
	write_not_permitted: {
		fault: 'cordon',
		retry: 'no',
		exit: 1,
		sentence: 'Guard checks were skipped. Nothing was sent. Report this bug.',
	},
	cancelled: {fault: 'operator', retry: 'now', exit: 130, sentence: 'Cancelled.'},
	// Responses of the service.
	bad_request: {fault: 'operator', retry: 'no', exit: 1, sentence: 'The service did not accept the request.'},
	unauthorized: {fault: 'operator', retry: 'no', exit: 4, sentence: 'Client ID or API key rejected. Check the connection.'},
	forbidden: {fault: 'operator', retry: 'no', exit: 4, sentence: 'This API key lacks permission.'},
	not_found: {
		fault: 'operator',
		retry: 'no',
		exit: 3,
		sentence: 'The service has no such object; it may have been deleted elsewhere.',
	},
	isolation_not_allowed: {
		fault: 'operator',
		retry: 'no',
		exit: 4,
		sentence: "Isolation is not allowed by this computer's policy.",
	},
	conflict: {fault: 'operator', retry: 'read_first', exit: 5, sentence: 'The object is already in another state.'},
	rate_limited: {fault: 'service', retry: 'later', exit: 6, sentence: 'API limit reached. Wait for the reset.'},
	service_error: {fault: 'service', retry: 'later', exit: 1, sentence: 'The service answered with an error of its own.'},
	unexpected_status: {
		fault: 'service',
		retry: 'no',
		exit: 1,
		sentence: 'The service answered with a status that is not part of its API.',
	},
	unexpected_redirect: {
		fault: 'service',
		retry: 'no',
		exit: 1,
		sentence: 'The service redirected to another address; credentials are never sent there.',
	},
	errors_in_success: {
		fault: 'service',
		retry: 'read_first',
		exit: 1,
		sentence: 'The service reported success together with errors.',
	},
	empty_body: {fault: 'service', retry: 'now', exit: 1, sentence: 'The service answered without a body.'},
	bad_json: {fault: 'service', retry: 'now', exit: 1, sentence: "The service's answer is not JSON."},
	unexpected_shape: {fault: 'service', retry: 'no', exit: 1, sentence: "The service's answer does not have the documented form."},
	truncated: {fault: 'network', retry: 'now', exit: 1, sentence: "The service's answer ended too early."},
	too_large: {fault: 'service', retry: 'no', exit: 1, sentence: "The service's answer is larger than this program accepts."},
	incomplete: {fault: 'service', retry: 'now', exit: 1, sentence: 'Some pages of the listing could not be read.'},
	// The network path to the service.
	dns: {fault: 'network', retry: 'later', exit: 1, sentence: "The service's host name cannot be resolved."},
	refused: {
		fault: 'network',
		retry: 'later',
		exit: 1,
		sentence: 'The connection was refused: no program answers at that address, or a firewall refuses it.',
	},
	unreachable: {fault: 'network', retry: 'later', exit: 1, sentence: 'The service cannot be reached.'},
	reset: {fault: 'network', retry: 'now', exit: 1, sentence: 'The connection was closed before the answer arrived.'},
	connect_timeout: {fault: 'network', retry: 'later', exit: 1, sentence: 'No connection within 10 seconds.'},
	response_timeout: {fault: 'network', retry: 'later', exit: 1, sentence: 'No answer within the time allowed.'},
	tls: {fault: 'network', retry: 'no', exit: 1, sentence: "The service's certificate is not trusted."},
	proxy: {fault: 'network', retry: 'later', exit: 1, sentence: 'The proxy refused the connection.'},
	outcome_unknown: {
		fault: 'network',
		retry: 'read_first',
		exit: 9,
		sentence: 'Outcome unknown. The change may have been applied. Check the current state before retrying.',
	},
	wait_timeout: {fault: 'service', retry: 'later', exit: 1, sentence: 'Timed out waiting for the requested state.'},
	// This program.
	disk_full: {fault: 'operator', retry: 'later', exit: 1, sentence: 'The disk is full.'},
	storage: {fault: 'cordon', retry: 'later', exit: 1, sentence: 'The local store cannot be used.'},
	internal: {fault: 'cordon', retry: 'no', exit: 1, sentence: 'Something went wrong inside Cordon.'},
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof table

export const errorTable: Readonly<Record<ErrorCode, ErrorEntry>> = table

export const errorCodes = Object.keys(table) as readonly ErrorCode[] // the keys of the literal above, nothing else

/** A read as sent to the service. */
export interface Asked {
	readonly method: 'GET' | 'OPTIONS'
	readonly url: string
}

/** Facts of an error; all optional, none ever a secret. */
export interface ErrorDetails {
	/** The argument or setting at fault, as spelled in the catalogue or form. */
	readonly field?: string
	/** HTTP status of the response. */
	readonly status?: number
	/** `X-Request-Id` of the response, for the service's support. */
	readonly requestId?: string
	/** The failed read, so that it can be tried without this program. Never a change, never a credential. */
	readonly asked?: Asked
	/** The service's text, joined from `errors[].details`. */
	readonly service?: string
	/** ISO 8601 time from which a retry makes sense. */
	readonly retryAt?: string
	/** What to do, if more specific than the table's sentence. */
	readonly fix?: string
	/** Offsets of pages that are missing from a listing. */
	readonly missing?: readonly number[]
	/** The object's state, from a 409 or a reading. */
	readonly state?: string
	/** The approval it waits for. */
	readonly approval?: string
	/** The first targets that changed since planning; the message has the total number. */
	readonly drift?: readonly Drift[]
	/** Faults of a file with their lines, in file order. */
	readonly problems?: readonly {readonly line: number; readonly key: string; readonly problem: string; readonly fix: string}[]
}

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

/** The form of an error on the wire, in the log and in `--json`. */
export interface ErrorReport extends ErrorDetails {
	readonly code: ErrorCode
	readonly message: string
	readonly fault: Fault
	readonly retry: RetryAdvice
}

/** Any thrown value as a report; unknown ones become `internal`, without their stack. */
export function reportError(error: unknown): ErrorReport {
	const known = error instanceof CordonError ? error : new CordonError('internal', describe(error))
	const {fault, retry} = errorTable[known.code]
	return {code: known.code, message: known.message, fault, retry, ...known.details}
}

/** The inverse of {@link reportError}, for the far side of the wire. */
export function errorFromReport(report: ErrorReport): CordonError {
	const {code, message, fault: _fault, retry: _retry, ...details} = report
	return new CordonError(code, message, details)
}

export function exitCodeOf(code: ErrorCode): number {
	return errorTable[code].exit
}

function describe(error: unknown): string {
	return error instanceof Error ? `Something went wrong inside Cordon: ${error.message}` : errorTable.internal.sentence
}
