// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/slurmoptions.h"
#include "engine/clusters/slurmimages.h"
#include "engine/clusters/slurmtarget.h"
#include "tests/helpers/testregistry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// How a step of Slurm enters an image: what srun is told, and what a target can say of it and of modules.
class TstSlurmContainers : public QObject
{
    Q_OBJECT

    static QStringList words(const Result<std::vector<std::string>> &options)
    {
        QStringList all;
        for (const std::string &option : options.value_or(std::vector<std::string>())) {
            all.append(QString::fromStdString(option));
        }
        return all;
    }

private Q_SLOTS:
    void names_data()
    {
        QTest::addColumn<QString>("image");
        QTest::addColumn<QString>("name");
        QTest::newRow("short") << u"ubuntu:22.04"_s << u"ubuntu:22.04"_s;
        QTest::newRow("of a user") << u"pytorch/pytorch:2"_s << u"pytorch/pytorch:2"_s;
        QTest::newRow("scheme") << u"docker://pytorch/pytorch"_s << u"pytorch/pytorch"_s;
        QTest::newRow("registry") << u"nvcr.io/nvidia/pytorch:24.01-py3"_s << u"nvcr.io#nvidia/pytorch:24.01-py3"_s;
        QTest::newRow("port") << u"lab:5000/train"_s << u"lab:5000#train"_s;
        QTest::newRow("this computer's") << u"localhost/train"_s << u"localhost#train"_s;
        QTest::newRow("Docker Hub") << u"docker.io/library/ubuntu:22.04"_s << u"ubuntu:22.04"_s;
        QTest::newRow("Docker Hub, a user's") << u"docker.io/ada/train"_s << u"ada/train"_s;
        QTest::newRow("pyxis' own") << u"nvcr.io#nvidia/pytorch"_s << u"nvcr.io#nvidia/pytorch"_s;
        QTest::newRow("digest") << u"ubuntu@sha256:0123"_s << u"ubuntu:sha256:0123"_s;
        QTest::newRow("tag and digest") << u"lab:5000/train:2@sha256:0123"_s << u"lab:5000#train:sha256:0123"_s;
        QTest::newRow("digest, no tag, a port") << u"lab:5000/train@sha256:0123"_s << u"lab:5000#train:sha256:0123"_s;
        QTest::newRow("a login") << u"ada@nvcr.io#nvidia/pytorch"_s << u"ada@nvcr.io#nvidia/pytorch"_s;
        QTest::newRow("of the node's docker") << u"dockerd://train:1"_s << u"dockerd://train:1"_s;
        QTest::newRow("file") << u"/shared/images/train.sqsh"_s << u"/shared/images/train.sqsh"_s;
    }
    void names()
    {
        QFETCH(QString, image);
        QTEST(slurm::pyxisImage(image), "name");
    }

    void options_data()
    {
        QTest::addColumn<QString>("work");
        QTest::addColumn<QStringList>("mounts"); // as the setting containers.mounts has them
        QTest::addColumn<QString>("mounted");
        const QString runs = u"/runs:/runs"_s;
        QTest::newRow("a folder of the try") << u"/runs/a/0"_s << QStringList() << runs;
        QTest::newRow("a work folder") << u"/home/ada/x"_s << QStringList() << u"/runs:/runs,/home/ada/x:/home/ada/x"_s;
        QTest::newRow("one beside the runs") << u"/runs2"_s << QStringList() << u"/runs:/runs,/runs2:/runs2"_s;
        QTest::newRow("more") << u"/runs/a"_s << QStringList{u"/data:ro"_s, u"/a/b:/c"_s}
                              << u"/runs:/runs,/data:/data:ro,/a/b:/c"_s;
        QTest::newRow("outer ones first")
            << u"/home/ada"_s << QStringList{u"/d:/x"_s} << u"/runs:/runs,/d:/x,/home/ada:/home/ada"_s;
        QTest::newRow("what is only read below") << u"/runs/a"_s << QStringList{u"/runs/data:ro"_s, u"/runs/b"_s}
                                                 << u"/runs:/runs,/runs/data:/runs/data:ro"_s;
        QTest::newRow("the same place twice")
            << u"/home/ada"_s << QStringList{u"/other:/home/ada"_s} << u"/runs:/runs,/home/ada:/home/ada"_s;
    }
    void options()
    {
        QFETCH(QString, work);
        QFETCH(QStringList, mounts);
        QFETCH(QString, mounted);
        slurm::PyxisInput input{u"nvcr.io/nvidia/pytorch"_s, u"/runs"_s, work, {}};
        for (const QString &text : std::as_const(mounts)) {
            const std::optional<launch::ContainerMount> mount = launch::parseMount(text);
            QVERIFY(mount);
            input.mounts.append(*mount);
        }
        QCOMPARE(words(slurm::pyxisOptions(input)),
            (QStringList{u"--container-image=nvcr.io#nvidia/pytorch"_s, u"--container-mounts="_s + mounted,
                u"--container-workdir="_s + work}));
    }

    void pathsThatPyxisCannotRead_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("comma") << u"/home/a,b"_s;
        QTest::newRow("colon") << u"/home/a:b"_s;
        QTest::newRow("blank") << u"/home/a b"_s;
        QTest::newRow("quotation mark") << u"/home/a\"b"_s;
        QTest::newRow("a command") << u"/home/$(id)"_s;
        QTest::newRow("an older way of it") << u"/home/`id`"_s;
        QTest::newRow("backslash") << u"/home/a\\b"_s;
    }
    void pathsThatPyxisCannotRead()
    {
        QFETCH(QString, path);
        const Result<std::vector<std::string>> made = slurm::pyxisOptions({u"ubuntu"_s, u"/runs"_s, path, {}});
        QVERIFY(!made);
        QCOMPARE(made.error().code, u"slurm.image-path"_s);
        QCOMPARE(made.error().args.value("path"_L1).toString(), path);
    }

    void targets_data()
    {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("images");
        QTest::addColumn<QString>("problem");
        QTest::newRow("unset") << QString() << QString() << QString();
        QTest::newRow("none") << u"none"_s << QString() << QString();
        QTest::newRow("apptainer") << u"apptainer"_s << u"apptainer"_s << QString();
        QTest::newRow("pyxis") << u"pyxis"_s << u"pyxis"_s << QString();
        QTest::newRow("another") << u"shifter"_s << u"shifter"_s << u"slurm.images-strange"_s;
    }
    void targets()
    {
        QFETCH(QString, word);
        const QTemporaryDir folder;
        Settings settings(folder.filePath(u"settings.json"_s));
        QVERIFY(settings.set(slurmOptionsKey(u"lab"_s), QString(noSlurmOptions)));
        QVERIFY(word.isEmpty() || settings.set(slurmImagesKey(u"lab"_s), word));
        const std::vector<SlurmTarget> all = slurmTargetsOf(settings);
        QCOMPARE(all.size(), std::size_t(1));
        QTEST(all.front().images, "images");
        QTEST(all.front().problem.code, "problem");
    }

    void modules_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("modules");
        QTest::addColumn<QString>("strange");
        const QStringList both{u"cuda/12"_s, u"python/3.11"_s};
        QTest::newRow("unset") << QString() << QStringList() << QString();
        QTest::newRow("none") << u"none"_s << QStringList() << QString();
        QTest::newRow("commas") << u"cuda/12,python/3.11"_s << both << QString();
        QTest::newRow("blanks") << u" cuda/12  python/3.11, "_s << both << QString();
        QTest::newRow("versions") << u"gcc/12.2.0-GCCcore+x86_64,R/4:a"_s
                                  << QStringList{u"gcc/12.2.0-GCCcore+x86_64"_s, u"R/4:a"_s} << QString();
        QTest::newRow("an option") << u"cuda/12,--force"_s << QStringList() << u"--force"_s;
        QTest::newRow("a command") << u"$(id)"_s << QStringList() << u"$(id)"_s;
        QTest::newRow("two commands") << u"cuda/12;python/3.11"_s << QStringList() << u"cuda/12;python/3.11"_s;
    }
    void modules()
    {
        QFETCH(QString, line);
        QFETCH(QString, strange);
        const QTemporaryDir folder;
        Settings settings(folder.filePath(u"settings.json"_s));
        QVERIFY(settings.set(slurmOptionsKey(u"lab"_s), QString(noSlurmOptions)));
        QVERIFY(line.isEmpty() || settings.set(slurmModulesKey(u"lab"_s), line));
        const std::vector<SlurmTarget> all = slurmTargetsOf(settings);
        QCOMPARE(all.size(), std::size_t(1));
        QTEST(all.front().modules, "modules");
        QCOMPARE(all.front().problem.code, strange.isEmpty() ? QString() : u"slurm.module-strange"_s);
        QCOMPARE(all.front().problem.args.value("module"_L1).toString(), strange);
    }
};

TRAINYARD_TEST(TstSlurmContainers)
#include "tst_slurmcontainers.moc"
