/** One received request; `status` is 0 until answered, and when the connection was cut. */
export interface RequestRecord {
	readonly method: string
	/** Path and query as sent. */
	readonly path: string
	/** Unix milliseconds by the sandbox's clock. */
	readonly at: number
	readonly status: number
}

const requestsKept = 10_000

export interface RequestLog {
	readonly records: readonly RequestRecord[]
	/** Appends a record and returns a function that sets its status. */
	readonly record: (record: RequestRecord) => (status: number) => void
	readonly clear: () => void
}

export function createRequestLog(): RequestLog {
	const records: RequestRecord[] = []
	return {
		records,
		clear: () => void records.splice(0),
		record: record => {
			records.push(record)
			if (records.length > requestsKept) records.shift()
			return status => {
				const index = records.lastIndexOf(record)
				if (index >= 0) records[index] = {...record, status}
			}
		},
	}
}
