
(() => {
  'use strict';
  const controls = document.getElementById('controls');
  if (!controls) return;
  const cases = [...document.querySelectorAll('.case')];
  const buttons = [...controls.querySelectorAll('button')];
  const find = document.getElementById('find');
  const shown = document.getElementById('shown');
  const texts = new Map();
  const text = (one) => {
    if (!texts.has(one)) texts.set(one, one.textContent.toLowerCase());
    return texts.get(one);
  };
  let wanted = 'all';
  const apply = () => {
    const words = find.value.trim().toLowerCase();
    let count = 0;
    for (const one of cases) {
      const fits = wanted === 'all' || one.dataset.status === wanted || one.dataset.change === wanted;
      one.hidden = !(fits && (words === '' || text(one).includes(words)));
      if (!one.hidden) count += 1;
    }
    shown.textContent = `${count} of ${cases.length} shown`;
  };
  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target || !target.classList.contains('case')) return;
    if (target.hidden) {
      find.value = '';
      choose(buttons[0]);
    }
    if (target.localName === 'details') {
      target.open = true;
      target.firstElementChild.focus({ preventScroll: true });
    }
    target.scrollIntoView();
  };
  const choose = (button) => {
    wanted = button.dataset.filter;
    for (const each of buttons) each.setAttribute('aria-pressed', String(each === button));
    apply();
  };
  for (const button of buttons) button.addEventListener('click', () => choose(button));
  find.addEventListener('input', apply);
  addEventListener('hashchange', open);
  controls.hidden = false;
  apply();
  open();
})();
