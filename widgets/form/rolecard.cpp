// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/rolecard.h"

#include "model/base/memorytext.h"
#include "model/protocol/fieldreference.h"
#include "widgets/common/flowlayout.h"
#include "widgets/common/labels.h"
#include "widgets/form/chainfield.h"
#include "widgets/form/commandsfield.h"
#include "widgets/form/fieldcontrol.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/formkeys.h"
#include "widgets/form/hostsfields.h"
#include "widgets/form/keynamefield.h"
#include "widgets/form/portsfield.h"
#include "widgets/form/valuestable.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QLineEdit>

namespace trainyard
{
namespace
{

constexpr int leastName = 168; // so that a name can be read

YamlPath resource(const YamlPath &base, const char *key)
{
    return base.isEmpty() ? base : base.child(k("resourcePerInstance")).child(k(key));
}

// The keys that a map of the job language may have.
QStringList keysOf(const QString &pointer)
{
    QStringList keys;
    for (const ReferenceField *field : FieldReference::bundled().entriesBelow(pointer)) {
        if (!field->isPlaceholder() && !field->forbidden) {
            keys.append(field->name());
        }
    }
    return keys;
}

} // namespace

RoleCard::RoleCard(FormContext *context, QWidget *parent) : Ground(Colour::Surface, parent), m_context(context)
{
    setCard(true);
    setObjectName(QStringLiteral("roleCard"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, metrics::space3, metrics::space4, metrics::space2);
    auto *grid = new FormGrid;
    column->addWidget(grid);

    m_name = new KeyNameField(context, QStringLiteral("roleName"),
        tr("There is a task role '%1' already, so this one is still called '%2'."));
    m_instances = new NumberField(context, {});
    m_instances->box()->setObjectName(QStringLiteral("roleInstances"));
    m_instances->box()->setRange(1, 100000);
    m_instances->box()->setDefault(1);
    m_instances->box()->setCharacters(5);
    m_instances->box()->setAccessibleName(tr("Instances"));
    QLabel *instancesLabel = rowLabel(tr("Instances"), m_instances->box());
    m_instances->setLabel(instancesLabel);
    // Messages about either are below both while they are side by side, because there is room.
    auto *nameMessages = new FieldMessages(context);
    auto *instancesMessages = new FieldMessages(context);
    m_name->setMessages(nameMessages);
    m_instances->setMessages(instancesMessages);
    m_name->setLabel(grid->addRow(tr("Name"),
        above(
            besideOrBelow(m_name, beside({instancesLabel, m_instances}), leastName, nameMessages), instancesMessages)));

    auto *imageMessages = new FieldMessages(context);
    m_image = new ChoiceField(context, {}, tr("none: the shell of the host"));
    m_image->setNone(tr("None: the shell of the host"));
    m_image->setAction(tr("New image…"), [this] { Q_EMIT imageWanted(m_role); });
    m_image->combo()->setObjectName(QStringLiteral("roleImage"));
    m_image->setChoices([this] { return m_context->prerequisiteNames(k("dockerimage")); });
    m_image->setMessages(imageMessages);
    m_runIn = new WordField(context, {k("extras"), k("trainyard"), k("runIn")},
        {{QString(), tr("host's setting")}, {k("host"), tr("Host shell")}, {k("podman"), tr("Podman")},
            {k("docker"), tr("Docker")}, {k("apptainer"), tr("Apptainer")}});
    m_runIn->combo()->setObjectName(QStringLiteral("roleRunIn"));
    m_runIn->combo()->setToolTip(
        tr("Where commands run: in the shell of the host, or in a container. For all roles of the job."));
    QLabel *runInLabel = rowLabel(tr("Run in"), m_runIn->combo());
    m_runIn->setLabel(runInLabel);
    auto *ofImage = new QWidget;
    auto *imageBox = new QVBoxLayout(ofImage);
    imageBox->setContentsMargins(0, 0, 0, 0);
    imageBox->setSpacing(0);
    m_imageSource = new ElidedLabel;
    m_imageSource->setColour(Colour::Muted);
    m_imageSource->setFont(fonts::small());
    m_imageSource->setContentsMargins(0, 3, 0, 0);
    imageBox->addWidget(m_imageSource);
    m_runInHint = smallMutedLabel(QString());
    m_runInHint->setWordWrap(true);
    m_runInHint->setContentsMargins(0, 3, 0, 0);
    m_runInHint->setObjectName(QStringLiteral("roleRunInHint"));
    imageBox->addWidget(imageMessages);
    m_image->setLabel(grid->addRow(
        tr("Image"), above(besideOrBelow(m_image, beside({runInLabel, m_runIn}), leastName, ofImage), m_runInHint)));

    auto *resourceMessages = new FieldMessages(context);
    m_gpu = new NumberField(context, {});
    m_gpu->box()->setObjectName(QStringLiteral("roleGpu"));
    m_gpu->box()->setRange(0, 1024);
    m_gpu->box()->setDefault(0);
    m_gpu->box()->setCharacters(2);
    m_cpu = new NumberField(context, {});
    m_cpu->box()->setObjectName(QStringLiteral("roleCpu"));
    m_cpu->box()->setRange(1, 4096);
    m_cpu->box()->setDefault(1);
    m_cpu->box()->setCharacters(2);
    m_memory = new NumberField(context, {});
    m_memory->box()->setObjectName(QStringLiteral("roleMemory"));
    m_memory->box()->setRange(1, qint64(1) << 40);
    m_memory->box()->setCharacters(6);
    m_memory->box()->setParser(
        [this](const QString &text) {
            const auto shown = m_memory->documentValue();
            return parseMemory(text, !shown || *shown % 1024 == 0);
        },
        formatMemory, 1024);
    m_memory->box()->setDefault(0, tr("not set"));
    for (NumberField *field : {m_gpu, m_cpu, m_memory}) {
        field->setMessages(resourceMessages);
    }
    m_gpuMost = rowLabel(QString());
    m_gpuMost->setObjectName(QStringLiteral("roleGpuMost"));
    m_gpuMost->setContentsMargins(0, 0, metrics::space2, 0); // "4 of 0" does not run into the next number
    m_follow = new QCheckBox(tr("Follow GPU"));
    m_follow->setObjectName(QStringLiteral("roleFollowGpu"));
    m_follow->setFixedHeight(metrics::field);
    m_follow->installEventFilter(this);
    connect(m_follow, &QCheckBox::clicked, this, &RoleCard::setFollow);
    m_gpu->setCompanions([this](qint64 gpus) {
        QList<edit::Op> ops;
        if (m_follow->isChecked()) {
            const qint64 units = std::max<qint64>(1, gpus);
            ops.append(edit::SetValue{m_cpu->path(), QByteArray::number(units * cpuPerGpu)});
            ops.append(edit::SetValue{m_memory->path(), QByteArray::number(units * memoryPerGpu)});
        }
        return ops;
    });
    const auto smallLabel = [](const QString &text, NumberField *field) {
        QLabel *label = rowLabel(text, field->box());
        label->setFont(fonts::small());
        field->setLabel(label);
        return label;
    };
    auto *resourceColumn = new QWidget;
    auto *resourceBox = new QVBoxLayout(resourceColumn);
    resourceBox->setContentsMargins(0, 0, 0, 0);
    resourceBox->setSpacing(0);
    m_gpuMost->setFont(fonts::small());
    auto *resources = new QWidget;
    auto *flow = new FlowLayout(metrics::space2, resources);
    flow->setContentsMargins(0, 0, 0, 0);
    const auto together = [](const QList<QWidget *> &widgets) {
        QWidget *group = beside(widgets);
        group->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        return group;
    };
    flow->addWidget(together({smallLabel(tr("GPU"), m_gpu), m_gpu, m_gpuMost}));
    flow->addWidget(together({smallLabel(tr("CPU"), m_cpu), m_cpu}));
    flow->addWidget(together({smallLabel(tr("Memory"), m_memory), m_memory}));
    flow->addWidget(m_follow);
    resourceBox->addWidget(resources);
    QLabel *followHint
        = smallMutedLabel(tr("Follow GPU: 4 cores and 8 GiB for each GPU, or for the task when it has none."));
    followHint->setWordWrap(true);
    followHint->setContentsMargins(0, 3, 0, 0);
    followHint->setObjectName(QStringLiteral("roleFollowHint"));
    resourceBox->addWidget(resourceMessages);
    resourceBox->addWidget(followHint);
    grid->addRow(tr("Resources"), resourceColumn);

    m_hosts = new HostsFields(context, QStringLiteral("role"), this);
    m_hosts->addTo(grid, tr("Hosts"));

    m_commands = new CommandsField(context, {});
    m_commands->setLines(3, 14);
    m_commands->setPlaceholder(tr("What each task runs, one command after the other"));
    grid->addField(tr("Commands"), m_commands);

    m_ports = new PortsField(context, {});
    grid->addField(tr("Ports"), m_ports);

    m_chain = new ChainField(context, {});
    m_chain->setHelpWhenFilled(tr("In this order before the commands; after success in reverse"));
    grid->addField(tr("Prerequisites"), m_chain);

    auto *completion = new QWidget;
    auto *completionBox = new QVBoxLayout(completion);
    completionBox->setContentsMargins(0, 0, 0, 0);
    completionBox->setSpacing(metrics::space1);
    m_failed = new NumberField(context, {});
    m_failed->box()->setObjectName(QStringLiteral("roleMinFailed"));
    m_failed->box()->setRange(-1, 100000);
    m_failed->box()->setWords({{-1, tr("never")}});
    m_failed->box()->setDefault(1);
    m_failed->box()->setAccessibleName(tr("Failed tasks that end the job"));
    m_succeeded = new NumberField(context, {});
    m_succeeded->box()->setObjectName(QStringLiteral("roleMinSucceeded"));
    m_succeeded->box()->setRange(-1, 100000);
    m_succeeded->box()->setCharacters(9);
    m_succeeded->box()->setAccessibleName(tr("Succeeded tasks that end the job"));
    // Words and numbers of a sentence; where they do not fit on a line they wrap, and long names give way.
    const auto sentence = [](QLabel *head, QWidget *number, ElidedLabel *tail) {
        auto *line = new QWidget;
        auto *wrapped = new FlowLayout(metrics::space2, line);
        wrapped->setContentsMargins(0, 0, 0, 0);
        wrapped->addWidget(head);
        wrapped->addWidget(number);
        wrapped->addWidget(tail);
        return line;
    };
    m_failedHead = plainLabel();
    m_failedHead->setObjectName(QStringLiteral("roleFailsWhen"));
    m_failedWords = new ElidedLabel;
    m_failedWords->setObjectName(QStringLiteral("roleFailsWhenTail"));
    m_succeededWords = new ElidedLabel;
    auto *failedMessages = new FieldMessages(context);
    auto *succeededMessages = new FieldMessages(context);
    m_failed->setMessages(failedMessages);
    m_succeeded->setMessages(succeededMessages);
    completionBox->addWidget(sentence(m_failedHead, m_failed, m_failedWords));
    completionBox->addWidget(failedMessages);
    completionBox->addWidget(sentence(plainLabel(tr("Succeed when")), m_succeeded, m_succeededWords));
    completionBox->addWidget(succeededMessages);
    m_consequence = smallMutedLabel(QString());
    m_consequence->setObjectName(QStringLiteral("roleConsequence"));
    m_consequence->setWordWrap(true);
    completionBox->addWidget(m_consequence);
    m_failed->setLabel(grid->addRow(tr("Completion"), completion));
    m_failed->box()->setAccessibleName(tr("Failed tasks that end the job"));

    m_more = new Disclosure(tr("More"));
    m_more->setObjectName(QStringLiteral("roleMore"));
    grid->addRow(QString(), m_more);
    auto *more = new FormGrid;
    m_moreGrid = more;
    // Label and place are ours, the rest is the field reference's.
    const auto row = [&](const char *path, const QString &label, const char *name) {
        FormField *field = fieldControl(
            context, QStringLiteral("/taskRoles/*/") + k(path), QString::fromLatin1(name), label, tr("none"));
        more->addField(qobject_cast<CheckField *>(field) ? QString() : label, field);
        m_rows.append({field, k(path).split(u'/')});
        return field;
    };
    m_retries = row("taskRetryCount", tr("Task retries"), "roleRetries");
    m_retries->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_shared = row("extraContainerOptions/shmMB", tr("Shared mem."), "roleShared");
    row("data", tr("Data"), "roleData");
    row("script", tr("Script"), "roleScript");
    row("output", tr("Output"), "roleOutput");
    row("extraContainerOptions/infiniband", tr("InfiniBand device"), "roleInfiniband");
    const auto scheduling = [&](const QString &label, const char *key, const char *name, FormField *field) {
        field->setProperty("schedulerKey", k(key));
        field->setObjectName(QLatin1String(name));
        more->addField(label, field);
        m_scheduling.append(field);
    };
    auto *sku = new ChoiceField(context, {}, tr("any"));
    sku->setChoices([context] { return context->knownClusters().skus; });
    sku->setNone(tr("any"));
    scheduling(tr("SKU type"), "skuType", "roleSku", sku);
    auto *number = new NumberField(context, {});
    number->box()->setDefault(0, tr("from the resources"));
    number->box()->setCharacters(16);
    scheduling(tr("SKU number"), "skuNum", "roleSkuNumber", number);
    scheduling(tr("Pinned cell"), "pinnedCellId", "roleCell", new TextField(context, {}, tr("none")));
    scheduling(tr("Affinity"), "affinityGroupName", "roleAffinity", new TextField(context, {}, tr("none")));
    m_protocol = new NumberField(context, {});
    m_protocol->box()->setObjectName(QStringLiteral("roleProtocol"));
    m_protocol->box()->setRange(2, 2);
    m_protocol->box()->setDefault(2);
    more->addField(tr("Protocol"), m_protocol);
    m_container = new ValuesTable(context, {}, ValuesTable::Kind::Keys);
    m_container->setNames(QStringLiteral("roleContainer"), tr("Other options of the container"), tr("Add a key"));
    m_container->setKnownKeys(keysOf(QStringLiteral("/taskRoles/*/extraContainerOptions")));
    more->addField(tr("Container"), m_container);
    m_others = new ValuesTable(context, {}, ValuesTable::Kind::Keys);
    m_others->setNames(QStringLiteral("roleOthers"), tr("Other keys of the role"), tr("Add a key"));
    m_others->setKnownKeys(keysOf(QStringLiteral("/taskRoles/*")));
    m_others->setAddable(false);
    m_others->setNote(tr("A server refuses them."));
    more->addField(tr("Other keys"), m_others);
    grid->addWide(more);
    m_more->setBody(more);

    connect(m_name, &KeyNameField::renamed, this, [this](const QString &from, const QString &to) {
        m_ownRatio.insert(to, m_ownRatio.value(from));
        Q_EMIT renamed(from, to);
    });
    connect(context, &FormContext::hostsChanged, this, &RoleCard::updateResources);
}

YamlPath RoleCard::base() const { return m_role.isEmpty() ? YamlPath() : YamlPath{k("taskRoles"), m_role}; }

void RoleCard::setRole(const QString &role)
{
    m_role = role;
    const YamlPath b = base();
    const auto child = [&](const char *key) { return b.isEmpty() ? b : b.child(k(key)); };
    const auto inside
        = [&](const char *map, const char *key) { return b.isEmpty() ? b : b.child(k(map)).child(k(key)); };
    m_name->setPath(b);
    m_instances->setPath(child("instances"));
    m_image->setPath(child("dockerImage"));
    m_gpu->setPath(resource(b, "gpu"));
    m_cpu->setPath(resource(b, "cpu"));
    m_memory->setPath(resource(b, "memoryMB"));
    m_hosts->setRole(role);
    m_commands->setPath(child("commands"));
    m_ports->setPath(resource(b, "ports"));
    m_chain->setRole(role);
    m_chain->setPath(child("prerequisites"));
    m_failed->setPath(inside("completion", "minFailedInstances"));
    m_succeeded->setPath(inside("completion", "minSucceededInstances"));
    for (const auto &[field, keys] : std::as_const(m_rows)) {
        YamlPath path = b;
        for (const QString &key : b.isEmpty() ? QStringList() : keys) {
            path = path.child(key);
        }
        field->setPath(path);
    }
    for (FormField *field : std::as_const(m_scheduling)) {
        field->setPath(role.isEmpty() ? YamlPath()
                                      : YamlPath{k("extras"), k("hivedScheduler"), k("taskRoles"), role,
                                          field->property("schedulerKey").toString()});
    }
    m_protocol->setPath(child("protocolVersion"));
    m_container->setPath(child("extraContainerOptions"));
    m_others->setPath(b);
    refresh();
}

// The box is not a field of the job: it stands for the resources together.
bool RoleCard::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_follow && event->type() == QEvent::FocusIn && !m_role.isEmpty()) {
        Q_EMIT m_context->fieldFocused(base().child(k("resourcePerInstance")));
    }
    return Ground::eventFilter(watched, event);
}

void RoleCard::focusName()
{
    m_name->edit()->setFocus();
    m_name->edit()->selectAll();
}

} // namespace trainyard
