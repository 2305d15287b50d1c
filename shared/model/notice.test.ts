import {clockTimeSchema, groupedNotices, isQuiet, needsAction, type ShownNotice} from './notice.ts'

test('quiet hours may go over midnight', () => {
	const night = {from: '22:00', to: '07:00'}
	expect(['21:59', '22:00', '23:30', '00:00', '06:59', '07:00', '12:00'].map(now => isQuiet(now, night))).toEqual([
		false,
		true,
		true,
		true,
		true,
		false,
		false
	])
})

test('quiet hours within a day, none, and empty ones', () => {
	expect(['11:59', '12:00', '13:00'].map(now => isQuiet(now, {from: '12:00', to: '13:00'}))).toEqual([false, true, false])
	expect(isQuiet('12:00', null)).toBe(false)
	expect(isQuiet('12:00', {from: '12:00', to: '12:00'})).toBe(false)
})

test('a time is two digits, a colon and two digits of a clock', () => {
	expect(['00:00', '23:59', '24:00', '7:00', '12:60', ''].map(text => clockTimeSchema.safeParse(text).success)).toEqual([
		true,
		true,
		false,
		false,
		false,
		false
	])
})

test('notifications stand by tenant and urgency, the worst unread first; information needs nobody', () => {
	const notice = (id: string, tenant: string | null, urgency: ShownNotice['urgency'], read = false): ShownNotice => ({
		...{id, urgency, read, kind: 'target', at: '', title: id, body: '', open: null, recovered: false, quiet: false},
		tenant: tenant === null ? null : {id: tenant, name: tenant}
	})
	const list = [
		notice('1', 'a', 'know'),
		notice('2', 'b', 'soon'),
		notice('3', 'a', 'now', true),
		notice('4', null, 'now'),
		notice('5', 'b', 'know'),
		notice('6', 'b', 'soon')
	]
	expect(groupedNotices(list).map(({tenant, urgency, notices}) => [tenant?.id, urgency, notices.map(({id}) => id).join()])).toEqual([
		[undefined, 'now', '4'],
		['b', 'soon', '2,6'],
		['b', 'know', '5'],
		['a', 'now', '3'],
		['a', 'know', '1']
	])
	expect(list.filter(needsAction).map(({id}) => id)).toEqual(['2', '4', '6'])
})
