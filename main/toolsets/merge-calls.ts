/**
 * Puts members that share a key, directly or through others, into one group; order of first appearance is kept, within
 * groups and between them. A member without keys is a group of its own.
 */
export function groupByKeys<Member>(
  members: readonly Member[],
  keysOf: (member: Member) => readonly string[],
): Member[][] {
  const groups: { members: Member[]; keys: Set<string> }[] = []
  for (const member of members) {
    const keys = keysOf(member)
    const [home, ...others] = groups.filter((group) => keys.some((key) => group.keys.has(key)))
    if (home === undefined) {
      groups.push({ members: [member], keys: new Set(keys) })
      continue
    }
    for (const other of others) {
      home.members.push(...other.members)
      for (const key of other.keys) home.keys.add(key)
      groups.splice(groups.indexOf(other), 1)
    }
    home.members.push(member)
    for (const key of keys) home.keys.add(key)
  }
  const position = new Map(members.map((member, index) => [member, index]))
  return groups.map((group) =>
    group.members.sort((left, right) => (position.get(left) ?? 0) - (position.get(right) ?? 0)),
  )
}
