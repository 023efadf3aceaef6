/** The button "Test connection" of the settings: shows the sentences that the server answers. */
(() => {
  const button = document.getElementById('kashbox-test');
  const result = document.getElementById('kashbox-test-result');
  if (!button || !result) return;

  const show = (sentences) => {
    result.replaceChildren(
      ...sentences.map((sentence) => {
        const item = document.createElement('li');
        item.textContent = sentence;
        return item;
      }),
    );
  };

  button.addEventListener('click', async () => {
    button.disabled = true;
    show(['…']);
    const { action, nonce } = button.dataset;
    try {
      const answer = await fetch(window.ajaxurl, {
        method: 'POST',
        body: new URLSearchParams({ action, _ajax_nonce: nonce }),
      });
      const { data } = await answer.json();
      show(Array.isArray(data) ? data : [`HTTP ${answer.status}`]);
    } catch (fault) {
      show([String(fault)]);
    } finally {
      button.disabled = false;
    }
  });
})();
