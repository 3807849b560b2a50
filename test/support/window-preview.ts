import { createFakeBridge, type Scene } from './fake-bridge'

// The window reads its bridge when its modules are loaded, so the fake one has to stand first.
const scene = new URLSearchParams(location.search).get('scene') ?? 'busy'
Object.defineProperty(window, 'plumbline', { value: createFakeBridge(scene as Scene) })
await import('../../renderer/app/main')
