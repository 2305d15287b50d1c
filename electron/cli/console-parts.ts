import type {AppDependencies} from '#core/app/app.ts'
import type {Gateway, OpenedGateway} from '#core/app/gateway.ts'
import type {OpenedInstances} from '#gateway/instances/open.ts'

export interface ConsoleDependencies extends AppDependencies {
	opened: Omit<OpenedInstances, 'stop'>
}

interface OpeningGateway extends Gateway {
	open(...deps: Parameters<Gateway['open']>): OpenedGateway & OpenedInstances
}

/** Reuses the gateway's open stores: both see each other's changes. */
export function keepOpened(gateway: OpeningGateway): {gateway: Gateway; opened: () => OpenedInstances} {
	let kept: OpenedInstances | undefined
	return {
		gateway: {
			open: deps => {
				const opened = gateway.open(deps)
				kept = opened
				return opened
			}
		},
		opened: () => {
			if (kept === undefined) throw new Error('The console has not opened its instances yet.')
			return kept
		}
	}
}
