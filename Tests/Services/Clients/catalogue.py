"""The clients, what each needs, and which cases it cannot run."""

import dataclasses

NO_TOPIC = "the library always sends its topic"
ONE_BY_ONE = "sends one push at a time"

# Of Debian's libnetty-java.
NETTY = tuple(
    f"netty-{part}.jar" for part in (
        "buffer", "codec", "codec-dns", "codec-http", "codec-http2", "codec-socks", "common", "handler", "handler-proxy",
        "resolver", "resolver-dns", "transport", "transport-native-unix-common"))


@dataclasses.dataclass
class Client:
    name: str
    # The section of the page with its recipe.
    section: str
    # In the folder programs.
    program: str
    # A file in the folder requirements, or None.
    requirements: str | None = None
    # Commands that must be there.
    tools: tuple = ()
    # Names of jars that must be there, in /usr/share/java or in the folder of --jars.
    jars: tuple = ()
    # Name of a case to the reason why it does not apply.
    inapplicable: dict = dataclasses.field(default_factory=dict)
    # Cases whose refused requests it sends again.
    repeats: tuple = ()
    # Its library waits for the streams that a GOAWAY names, so no delivered push may be told as failed.
    reads_goaway: bool = False
    # Part of the short run.
    short: bool = True
    # The newest Python that it runs with.
    newest_python: tuple = (99,)
    # The service that it sends to, a key of `cases.CASES`.
    service: str = "APNs"


CLIENTS = [
    Client("aioapns", "aioapns", "aioapns_keys.py", "apns", inapplicable={"no topic": NO_TOPIC}),
    Client("apns2", "apns2 (Python)", "apns2_client.py", "apns2", newest_python=(3, 11)),
    Client(
        "pyapns-client", "pyapns-client", "pyapns.py", "apns",
        inapplicable={"413": "the library shortens the text", "1000 at once": ONE_BY_ONE},
        repeats=("old JWT", "429")),
    Client(
        "kalyke-apns", "kalyke-apns", "kalyke_client.py", "apns",
        inapplicable={"no topic": NO_TOPIC, "1000 at once": "opens a connection per push"}),
    Client(
        "django-push-notifications", "django-push-notifications", "django_push.py", "apns",
        inapplicable={"no topic": NO_TOPIC, "1000 at once": "gives up on an answer after one second"}),
    Client("httpx", "httpx", "httpx_client.py", "apns"),
    Client("curl", "curl", "curl.py", None, ("curl",)),
    Client(
        "h2load", "h2load", "h2load.py", None, ("h2load",),
        inapplicable={"trust": "checks no certificates"}),
    Client("requests", "requests", "requests_http1.py", "fcm", inapplicable={"1000 at once": ONE_BY_ONE}, short=False),
    Client("node", "Node's http2", "node_http2.mjs", None, ("node",),
        inapplicable={"GOAWAY": "a session is one connection; a sender opens the next itself"}),
    Client("go", "Go's net/http", "go_http.go", None, ("go",), reads_goaway=True, short=False),
    Client("php", "PHP's curl", "php_curl.php", None, ("php",)),
    Client("java", "Java's HttpClient", "JavaHttpClient.java", None, ("java",), short=False),
    Client("netty", "Netty", "NettyClient.java", None, ("java",), jars=NETTY),
    Client(
        "pushy", "pushy", "Pushy.java", None, ("java",), jars=(*NETTY, "slf4j-api.jar", "pushy.jar"), short=False,
        inapplicable={"no topic": NO_TOPIC, "old JWT": "the library issues its tokens, by its own clock"}),
    Client(
        "firebase-admin", "firebase-admin (Python)", "firebase_sdk.py", "fcm", short=False, service="FCM"),
    Client(
        "pyfcm", "pyfcm", "pyfcm_client.py", "fcm", short=False, service="FCM",
        inapplicable={"100 at once": ONE_BY_ONE}),
    Client(
        "google-auth", "google-auth", "google_session.py", "fcm", short=False, service="FCM",
        inapplicable={"100 at once": ONE_BY_ONE}),
    Client("apprise", "apprise", "apprise_fcm.py", "fcm", short=False, service="FCM",
        inapplicable={"replaced": "has no tags", "100 at once": ONE_BY_ONE, "bad token": "sends no such token"}),
    Client("apns-clerk", "apns-clerk", "apns_clerk_client.py", "binary", short=False, service="Binary"),
    Client("python-gcm", "python-gcm", "gcm_client.py", "fcm", short=False, service="GCM"),
    Client("exponent_server_sdk", "exponent_server_sdk", "expo_sdk.py", "expo", service="Expo"),
    Client("moodle", "Moodle", "moodle.php", None, ("php",), short=False, service="Airnotifier"),
]
