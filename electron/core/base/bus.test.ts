import {createBus, type CoreEvent} from './bus.ts'

test('each listener hears its kind alone, in order, until it stops', () => {
	const bus = createBus(expect.unreachable)
	const heard: string[] = []
	const off = bus.on('log.appended', ({seq}) => void heard.push(`one ${seq}`))
	bus.on('log.appended', ({seq}) => void heard.push(`two ${seq}`))
	bus.on('settings.changed', () => void heard.push('settings'))
	bus.emit({kind: 'log.appended', seq: 1})
	off()
	bus.emit({kind: 'log.appended', seq: 2})
	expect(heard).toEqual(['one 1', 'two 1', 'two 2'])
})

test('a listener that throws is reported and does not affect the others', () => {
	const troubles: string[] = []
	const bus = createBus((message, error) => void troubles.push(`${message} ${String(error)}`))
	const heard: CoreEvent[] = []
	bus.on('settings.changed', () => {
		throw new Error('no')
	})
	bus.on('settings.changed', event => void heard.push(event))
	bus.emit({kind: 'settings.changed'})
	expect(heard).toEqual([{kind: 'settings.changed'}])
	expect(troubles).toEqual(['A listener failed on settings.changed. Error: no'])
})

test('a listener added during an event gets the next one', () => {
	const bus = createBus(expect.unreachable)
	let late = 0
	bus.on('settings.changed', () => void bus.on('settings.changed', () => void (late += 1)))
	bus.emit({kind: 'settings.changed'})
	expect(late).toBe(0)
	bus.emit({kind: 'settings.changed'})
	expect(late).toBe(1)
})
