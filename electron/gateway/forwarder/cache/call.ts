import type {UpstreamRequest, UpstreamSink} from '../exchange.ts'

/** Sends a request to an instance; its answer goes to the sink. Before it returns, only `connected` can be called. */
export type Start = (sink: UpstreamSink) => UpstreamRequest

/** A request answered from elsewhere: it has no body. */
export abstract class Bodiless implements UpstreamRequest {
	write() {
		return true
	}
	end() {}
	abstract pause(): void
	abstract resume(): void
	abstract abort(): void
}
