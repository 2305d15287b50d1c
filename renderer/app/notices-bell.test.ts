import {bellName} from './NoticesBell.tsx'

test('the bell names what needs somebody and what informs, and says none only of what is unread', () => {
	const success = {urgency: 'know', read: false} as const
	const failure = {urgency: 'now', read: false} as const
	const lists = [undefined, [], [{...failure, read: true}], [success], [failure], [failure, success, success]]
	expect(lists.map(bellName)).toEqual(
		['not known', 'none unread', 'none unread', '1 for information', '1', '1, 2 for information'].map(words => `Notifications: ${words}`)
	)
})
