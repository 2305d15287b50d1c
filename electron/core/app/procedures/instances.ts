import type {Procedures, RouterDependencies} from './dependencies.ts'

export function instanceProcedures(deps: RouterDependencies): Procedures['instances'] {
	const {instances, stopping} = deps
	const {store} = instances
	const either = (signal = stopping) => AbortSignal.any([signal, stopping])
	return {
		list: () => instances.list(),
		detail: ({input}) => instances.detail(input.id),
		save: ({input}) => store.save(input),
		remove: ({input}) => store.remove(input.id),
		setEnabled: ({input}) => instances.row(store.setEnabled(input.id, input.enabled).id),
		setExposed: ({input}) => instances.row(store.setExposed(input.id, input.exposed, input.confirm).id),
		setOpenPort: ({input}) => instances.row(store.setOpenPort(input.id, input.open, input.confirm).id),
		restart: ({input}) => instances.row(store.restart(input.id).id),
		checkNow: ({input, signal}) => instances.checkNow(input.id, signal),
		checkPort: ({input}) => instances.checkPort(input.port, input.id),
		publish: ({input}) => instances.publish(input.id),
		requests: ({input}) => instances.requests(input.id, input.limit),
		probe: ({input, signal}) => instances.probe(input.id, either(signal)),
		follow: ({input, signal}) => instances.follow(input.id, either(signal)),
		parameters: parameterProcedures(deps),
		certificate: certificateProcedures(deps)
	}
}

function parameterProcedures({instances}: RouterDependencies): Procedures['instances']['parameters'] {
	const {store} = instances
	return {
		list: () => ({rows: store.parameterRows(), problems: store.settings().problems}),
		set: ({input}) => store.setParameter(input.key, input.value, input.confirm)
	}
}

function certificateProcedures({instances}: RouterDependencies): Procedures['instances']['certificate'] {
	const {certificates} = instances
	return {
		exportAuthority: ({input}) => certificates.exportAuthority(input.format),
		import: ({input}) => certificates.import(input.certificate, input.key),
		useLocal: () => certificates.useLocal(),
		renew: () => certificates.renew()
	}
}
