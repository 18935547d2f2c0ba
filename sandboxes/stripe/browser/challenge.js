const page = document.querySelector('main')
let port = null

addEventListener('message', ({ source, data, ports }) => {
  if (port || source !== window.parent || !ports[0]) return
  port = ports[0]
  const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: data.currency })
  document.getElementById('amount').textContent = money.format(data.amount / 100)
  page.focus()
})

page.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLButtonElement) port?.postMessage({ outcome: target.value })
})

addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') port?.postMessage({ outcome: 'fail' })
})
