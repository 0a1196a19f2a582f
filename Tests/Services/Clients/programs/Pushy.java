// One file, run by `java FILE`. The plan comes as lines with tabs between fields, because Java has no JSON of its own.
import com.eatthepath.pushy.apns.ApnsClient;
import com.eatthepath.pushy.apns.ApnsClientBuilder;
import com.eatthepath.pushy.apns.DeliveryPriority;
import com.eatthepath.pushy.apns.PushNotificationResponse;
import com.eatthepath.pushy.apns.PushType;
import com.eatthepath.pushy.apns.auth.ApnsSigningKey;
import com.eatthepath.pushy.apns.util.SimpleApnsPushNotification;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

class Pushy {
    // RECIPE

    static SimpleApnsPushNotification notification(String[] fields) {
        return new SimpleApnsPushNotification(
            fields[2], fields[3], "{\"aps\":{\"alert\":\"" + fields[4] + "\"}}", Instant.now().plusSeconds(3600),
            DeliveryPriority.IMMEDIATE, PushType.ALERT, fields[5].isEmpty() ? null : fields[5], null);
    }

    static String answer(PushNotificationResponse<SimpleApnsPushNotification> response) {
        String reason = response.getRejectionReason().map(text -> "\"" + text + "\"").orElse("null");
        String timestamp = response.getTokenInvalidationTimestamp().map(time -> "" + time.toEpochMilli()).orElse("null");
        return "{\"status\":" + response.getStatusCode() + ",\"reason\":" + reason + ",\"timestamp\":" + timestamp + "}";
    }

    static String failure(Throwable error) {
        return "{\"error\":\"" + error.toString().replaceAll("[\"\\\\\\p{Cntrl}]", "'") + "\"}";
    }

    public static void main(String[] arguments) throws Exception {
        ApnsClient client = makeClient();
        List<List<String[]>> cases = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(arguments[0] + ".tsv"))) {
            String[] fields = line.split("\t", -1);
            if (cases.isEmpty() || !cases.get(cases.size() - 1).get(0)[0].equals(fields[0])) cases.add(new ArrayList<>());
            cases.get(cases.size() - 1).add(fields);
        }
        for (List<String[]> requests : cases) {
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (String[] fields : requests) {
                // Else pushy waits for ever for a gateway that it cannot connect to.
                var answer = client.sendNotification(notification(fields)).orTimeout(30, TimeUnit.SECONDS)
                    .thenApply(Pushy::answer).exceptionally(Pushy::failure);
                if (fields[1].isEmpty()) answer.join();
                answers.add(answer);
            }
            List<String> texts = new ArrayList<>();
            for (var answer : answers) texts.add(answer.join());
            System.out.println("{\"name\":\"" + requests.get(0)[0] + "\",\"answers\":[" + String.join(",", texts) + "]}");
        }
        client.close().get(5, TimeUnit.SECONDS);
        System.exit(0);
    }
}
