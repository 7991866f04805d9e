from unittest.mock import ANY, MagicMock, Mock, PropertyMock, create_autospec, patch, sentinel


class Service:
    url = "http://example.com"

    def send(self, item, *, retries=3):
        return f"sent {item}"


service = create_autospec(Service, instance=True)
service.send.return_value = sentinel.sent
print(service.send("a", retries=1) is sentinel.sent, service.send.call_args)
try:
    service.send()
except TypeError as error:
    print(error)
container = MagicMock()
container.__len__.return_value = 3
container.__getitem__.side_effect = lambda key: key * 2
print(len(container), container["ab"], container.anything.nested() is not None)
with patch.object(Service, "url", new_callable=PropertyMock, return_value="patched") as url:
    print(Service().url, url.call_count)
counter = Mock(side_effect=[1, 2, StopIteration])
print(counter(), counter())
counter.reset_mock(side_effect=True)
counter("x", key="y")
counter.assert_called_once_with(ANY, key="y")
try:
    counter.assert_not_called()
except AssertionError as error:
    print(str(error).splitlines()[0])
