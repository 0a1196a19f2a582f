// One file, run by `java FILE`. The plan comes as lines with tabs between fields, because Java has no JSON of its own.
import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

class JavaHttpClient {
    // RECIPE

    static HttpRequest prepare(String[] fields) {
        String bearer = System.getenv(fields[6].equals("expired") ? "OLD_TOKEN" : "TOKEN");
        HttpRequest.Builder builder = HttpRequest.newBuilder(gateway.resolve("/3/device/" + fields[2]))
            .header("authorization", "bearer " + bearer)
            // Java 17 sometimes forgets a request whose connection ends.
            .timeout(Duration.ofSeconds(30))
            .POST(BodyPublishers.ofString("{\"aps\":{\"alert\":\"" + fields[4] + "\"}}"));
        if (!fields[3].isEmpty()) builder.header("apns-topic", fields[3]);
        if (!fields[5].isEmpty()) builder.header("apns-collapse-id", fields[5]);
        return builder.build();
    }

    static String answer(HttpResponse<String> response) {
        if (response.version() != HttpClient.Version.HTTP_2) return "{\"error\":\"not HTTP/2\"}";
        String body = response.body().isEmpty() ? "" : response.body();
        String reason = "null";
        if (!body.isEmpty()) reason = body.replaceAll(".*\"reason\":(\"[^\"]*\").*", "$1");
        return "{\"status\":" + response.statusCode() + ",\"reason\":" + reason + "}";
    }

    static String failure(Throwable error) {
        return "{\"error\":\"" + error.toString().replaceAll("[\"\\\\\\p{Cntrl}]", "'") + "\"}";
    }

    static void print(String name, List<String> answers) {
        System.out.println("{\"name\":\"" + name + "\",\"answers\":[" + String.join(",", answers) + "]}");
    }

    public static void main(String[] arguments) throws Exception {
        HttpClient client = makeClient();
        List<List<String[]>> cases = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(arguments[0] + ".tsv"))) {
            String[] fields = line.split("\t", -1);
            if (cases.isEmpty() || !cases.get(cases.size() - 1).get(0)[0].equals(fields[0])) cases.add(new ArrayList<>());
            cases.get(cases.size() - 1).add(fields);
        }
        for (List<String[]> requests : cases) {
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (String[] fields : requests) {
                var answer = client.sendAsync(prepare(fields), BodyHandlers.ofString())
                    .thenApply(JavaHttpClient::answer).exceptionally(JavaHttpClient::failure);
                if (fields[1].isEmpty()) answer.join();
                answers.add(answer);
            }
            List<String> texts = new ArrayList<>();
            for (var answer : answers) texts.add(answer.join());
            print(requests.get(0)[0], texts);
        }
    }
}
