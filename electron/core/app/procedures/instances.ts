import {reportedStream} from '../router-errors.ts'
import type {Implementer, RouterDependencies} from './dependencies.ts'

export function instanceProcedures(os: Implementer, deps: RouterDependencies) {
	const {instances} = deps
	const {store} = instances
	const routes = os.instances
	return {
		list: routes.list.handler(() => instances.list()),
		detail: routes.detail.handler(({input}) => instances.detail(input.id)),
		save: routes.save.handler(({input}) => store.save(input)),
		remove: routes.remove.handler(({input}) => store.remove(input.id)),
		setEnabled: routes.setEnabled.handler(({input}) => instances.row(store.setEnabled(input.id, input.enabled).id)),
		setExposed: routes.setExposed.handler(({input}) =>
			instances.row(store.setExposed(input.id, input.exposed, input.confirm).id),
		),
		setOpenPort: routes.setOpenPort.handler(({input}) =>
			instances.row(store.setOpenPort(input.id, input.open, input.confirm).id),
		),
		restart: routes.restart.handler(({input}) => instances.row(store.restart(input.id).id)),
		checkNow: routes.checkNow.handler(({input, signal}) => instances.checkNow(input.id, signal)),
		checkPort: routes.checkPort.handler(({input}) => instances.checkPort(input.port, input.id)),
		publish: routes.publish.handler(({input}) => instances.publish(input.id)),
		requests: routes.requests.handler(({input}) => instances.requests(input.id, input.limit)),
		...streams(os, deps),
		parameters: parameterProcedures(os, deps),
		certificate: certificateProcedures(os, deps),
	}
}

function streams(os: Implementer, {instances, stopping, programLog}: RouterDependencies) {
	const routes = os.instances
	const either = (signal: AbortSignal | undefined): AbortSignal =>
		signal === undefined ? stopping : AbortSignal.any([signal, stopping])
	return {
		probe: routes.probe.handler(({input, signal}) =>
			reportedStream(instances.probe(input.id, either(signal)), 'instances.probe', programLog),
		),
		follow: routes.follow.handler(({input, signal}) =>
			reportedStream(instances.follow(input.id, either(signal)), 'instances.follow', programLog),
		),
	}
}

function parameterProcedures(os: Implementer, {instances}: RouterDependencies) {
	const {store} = instances
	const routes = os.instances.parameters
	return {
		list: routes.list.handler(() => ({rows: store.parameterRows(), problems: store.settings().problems})),
		set: routes.set.handler(({input}) => store.setParameter(input.key, input.value, input.confirm)),
	}
}

function certificateProcedures(os: Implementer, {instances}: RouterDependencies) {
	const {certificates} = instances
	const routes = os.instances.certificate
	return {
		exportAuthority: routes.exportAuthority.handler(({input}) => certificates.exportAuthority(input.format)),
		import: routes.import.handler(({input}) => certificates.import(input.certificate, input.key)),
		useLocal: routes.useLocal.handler(() => certificates.useLocal()),
		renew: routes.renew.handler(() => certificates.renew()),
	}
}
