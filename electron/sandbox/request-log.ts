/** One received request; `status` is 0 until answered, and when the connection was cut. */
export interface RequestRecord {
	method: string
	/** Path and query as sent. */
	path: string
	/** Unix milliseconds by the sandbox's clock. */
	at: number
	status: number
}

const requestsKept = 10_000

export type RequestLog = ReturnType<typeof createRequestLog>

export function createRequestLog() {
	const records: RequestRecord[] = []
	return {
		records,
		clear: () => void records.splice(0),
		/** Appends a record and returns a function that sets its status. */
		record: (record: RequestRecord) => {
			records.push(record)
			if (records.length > requestsKept) records.shift()
			return (status: number) => {
				const index = records.lastIndexOf(record)
				if (index >= 0) records[index] = {...record, status}
			}
		}
	}
}
