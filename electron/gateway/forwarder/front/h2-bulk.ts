/** A large body over HTTP/2 is passed on in large pieces: each frame by itself would wake the instance for 16 KB. */
import type {RequestBodySink} from '../exchange.ts'
import type {Fields, Refusal} from '../message-types.ts'

/** What a body passes at once before it counts as bulk. */
const bulkAfter = 256 * 1024
const pieceBytes = 512 * 1024
/** Less than this in `holdMs` is no bulk: it passes at once again. */
const leastBytes = 32 * 1024
const holdMs = 2

export class BulkSink implements RequestBodySink {
	readonly #sink: RequestBodySink
	#passed = 0
	#held: Buffer[] = []
	#bytes = 0
	#timer: NodeJS.Timeout | undefined

	constructor(sink: RequestBodySink) {
		this.#sink = sink
	}

	data(chunk: Buffer) {
		if (this.#passed < bulkAfter) {
			this.#passed += chunk.length
			this.#sink.data(chunk)
			return
		}
		this.#held.push(chunk)
		this.#bytes += chunk.length
		if (this.#bytes >= pieceBytes) this.#letGo()
		else this.#timer ??= setTimeout(this.#late, holdMs)
	}

	end(trailers: Fields) {
		this.#letGo()
		this.#sink.end(trailers)
	}

	failed(refusal: Refusal | null) {
		this.drop()
		this.#sink.failed(refusal)
	}

	/** The request is aborted: nothing more is passed on. */
	drop(): readonly Buffer[] {
		clearTimeout(this.#timer)
		this.#timer = undefined
		const held = this.#held
		this.#held = []
		this.#bytes = 0
		return held
	}

	readonly #late = () => {
		if (this.#bytes < leastBytes) this.#passed = 0
		this.#letGo()
	}

	#letGo() {
		for (const chunk of this.drop()) this.#sink.data(chunk)
	}
}
