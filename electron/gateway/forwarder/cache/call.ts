import type {UpstreamRequest, UpstreamSink} from '../exchange.ts'

/** Sends a request to an instance; its answer goes to the sink. Only `connected` can be called before it returns. */
export type Start = (sink: UpstreamSink) => UpstreamRequest

/** A request whose answer comes from somewhere else: there is nothing to write. */
export abstract class Bodiless implements UpstreamRequest {
	write(): boolean {
		return true
	}
	end(): void {}
	abstract pause(): void
	abstract resume(): void
	abstract abort(): void
}
