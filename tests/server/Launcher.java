import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** A MongoDB-compatible server in memory, on loopback, which lives as long as its standard input stays open. */
public final class Launcher {
    /** The oldest wire version that mongosh 2.12 still talks to comfortably is 6.0's. */
    private static final MongoVersion VERSION = new MongoVersion() {
        @Override
        public List<Integer> getVersionArray() {
            return List.of(6, 0, 0);
        }

        @Override
        public int getWireVersion() {
            return 17;
        }
    };

    public static void main(String[] arguments) throws Exception {
        MongoServer server = new MongoServer(new MemoryBackend().version(VERSION));
        System.out.println(server.bindAndGetConnectionString());
        System.out.flush();
        while (System.in.read() != -1) {
            // Whoever started us is still there.
        }
        server.shutdownNow();
    }
}
