/** "For this session": what the person granted, by key. Lives in memory and dies with the session. */
export class SessionGrants {
  readonly #grants = new Map<string, string>()

  has(key: string): boolean {
    return this.#grants.has(key)
  }

  add(key: string, label: string): void {
    this.#grants.set(key, label)
  }

  remove(key: string): void {
    this.#grants.delete(key)
  }

  list(): { key: string; label: string }[] {
    return [...this.#grants].map(([key, label]) => ({ key, label }))
  }
}
