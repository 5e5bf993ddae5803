// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/yamlfuzz.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QRandomGenerator>
#include <QTest>

// The fuzz targets' checks over the inputs that once broke them, and over some thousand mutations with a fixed seed.
// A check that does not hold ends the program.
class TstYamlFuzz : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keptInputs();
    void mutations();
};

void TstYamlFuzz::keptInputs()
{
    const QDir dir(qEnvironmentVariable("TRAINYARD_SOURCE") + QStringLiteral("/tests/fuzz/regress"));
    int count = 0;
    const QStringList names
        = dir.entryList({QStringLiteral("yaml*"), QStringLiteral("rename*")}, QDir::Files, QDir::Name);
    for (const QString &name : names) {
        QFile file(dir.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        if (name.startsWith(QLatin1String("yamledit"))) {
            yamlfuzz::edit(bytes);
        } else if (name.startsWith(QLatin1String("rename"))) {
            yamlfuzz::rename(bytes);
        } else {
            yamlfuzz::parse(bytes);
            yamlfuzz::extent(bytes);
        }
        ++count;
    }
    qInfo("%d inputs", count);
    QVERIFY(count > 0);
}

void TstYamlFuzz::mutations()
{
    const QList<QByteArray> seeds{
        "# c\na: 1 # d\nb:\n  - x\n  - y: |\n      t\n  # e\n  - 'z''z'\n",
        "? a\n: b\nc: &x {d: 1, e: [f, \"g\\n\"]}\nh: *x\ni: !!str 5\n",
        "- - a\n  - b\n-\n  'k': >-\n    v\n    w\n\n    u\n- |2+\n   s\n\n",
        "%YAML 1.2\n---\na: b\n<<: {c: 2}\n...\n---\ne: 3\n",
        "a: \"x\\\n  y\"\r\nb: [1,\r\n 2, # c\r\n ]\r\n",
    };
    const QByteArray alphabet(" \n:-?#&*!|>'\"%@`{}[],~\t\r\\aA1\xC3\xA4");
    QRandomGenerator random(11);
    for (int i = 0; i < 3000; ++i) {
        QByteArray text = seeds.at(random.bounded(int(seeds.size())));
        const int changes = random.bounded(1, 4);
        for (int j = 0; j < changes; ++j) {
            const int at = random.bounded(int(text.size()));
            switch (random.bounded(3)) {
            case 0:
                text.insert(at, alphabet.at(random.bounded(int(alphabet.size()))));
                break;
            case 1:
                text.remove(at, random.bounded(1, 4));
                break;
            default:
                text[at] = alphabet.at(random.bounded(int(alphabet.size())));
                break;
            }
            if (text.isEmpty()) {
                text = "a";
            }
        }
        yamlfuzz::parse(text);
        yamlfuzz::extent(text);
        yamlfuzz::rename(char(random.bounded(256)) + text);
        QByteArray order;
        order.append(char(random.bounded(256))).append(char(random.bounded(256))).append(char(random.bounded(8)));
        for (int j = 0; j < order.at(2); ++j) {
            order.append(alphabet.at(random.bounded(int(alphabet.size()) - 2)));
        }
        yamlfuzz::edit(order + text);
    }
}

TRAINYARD_TEST(TstYamlFuzz)
#include "tst_yamlfuzz.moc"
