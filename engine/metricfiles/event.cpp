// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/event.h"

#include "engine/metricfiles/protobuf.h"
#include "engine/metricfiles/values.h"

namespace trainyard::metricfiles
{

namespace
{

using Wire = Fields::Wire;

// Numbers of fields and values in TensorFlow's event.proto, summary.proto, tensor.proto and types.proto.
namespace field
{
constexpr std::uint32_t wallTime = 1, step = 2, summary = 5, sessionLog = 7; // Event
constexpr std::uint32_t status = 1; // SessionLog
constexpr std::uint32_t value = 1; // Summary
constexpr std::uint32_t tag = 1, simpleValue = 2, tensor = 8, metadata = 9; // Value
constexpr std::uint32_t pluginData = 1, dataClass = 4; // SummaryMetadata
constexpr std::uint32_t pluginName = 1; // PluginData
constexpr std::uint32_t type = 1, shape = 2, content = 4, floats = 5, doubles = 6, ints = 7, longs = 10; // TensorProto
constexpr std::uint32_t dimension = 2; // TensorShapeProto
constexpr std::uint32_t dimensionSize = 1; // Dim
} // namespace field
constexpr std::uint64_t statusStart = 1, classScalar = 1;
enum class Type : std::uint64_t { Float = 1, Double = 2, Int32 = 3, Int64 = 9 };

bool isOneElement(std::string_view shape)
{
    Fields dimensions(shape);
    while (dimensions.next()) {
        if (!dimensions.is(field::dimension, Wire::Bytes)) {
            continue;
        }
        std::uint64_t size = 0;
        Fields parts(dimensions.bytes);
        while (parts.next()) {
            if (parts.is(field::dimensionSize, Wire::Varint)) {
                size = parts.integer;
            }
        }
        if (size != 1 || parts.isBroken()) {
            return false;
        }
    }
    return !dimensions.isBroken();
}

std::optional<double> numberIn(std::string_view bytes, Type type)
{
    const std::uint64_t bits = bytes.size() <= 8 ? littleEndian(bytes) : 0;
    switch (type) {
    case Type::Float:
        return bytes.size() == 4 ? std::optional<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                                 : std::nullopt;
    case Type::Double:
        return bytes.size() == 8 ? std::optional(std::bit_cast<double>(bits)) : std::nullopt;
    case Type::Int32:
        return bytes.size() == 4 ? std::optional<double>(static_cast<std::int32_t>(bits)) : std::nullopt;
    case Type::Int64:
        return bytes.size() == 8 ? std::optional(static_cast<double>(static_cast<std::int64_t>(bits))) : std::nullopt;
    }
    return {};
}

// A repeated field with one element, packed or not.
std::optional<double> onlyNumber(const Fields &field, Type type)
{
    std::string_view bytes = field.bytes;
    if (type == Type::Float || type == Type::Double) {
        return numberIn(bytes, type);
    }
    std::uint64_t integer = field.integer;
    if (field.wire == Wire::Bytes && (!Fields::varint(bytes, integer) || !bytes.empty())) {
        return {};
    }
    const auto value = static_cast<std::int64_t>(integer);
    return static_cast<double>(type == Type::Int32 ? static_cast<std::int32_t>(value) : value);
}

} // namespace

bool EventReader::readTensor(std::string_view message, Scalar &scalar)
{
    Type type = {};
    std::optional<double> value;
    int values = 0;
    Fields fields(message);
    while (fields.next()) {
        Type of = {};
        switch (fields.number) {
        case field::type:
            type = static_cast<Type>(fields.integer);
            continue;
        case field::shape:
            if (fields.wire == Wire::Bytes && !isOneElement(fields.bytes)) {
                return true;
            }
            continue;
        case field::content:
            of = type;
            break;
        case field::floats:
            of = Type::Float;
            break;
        case field::doubles:
            of = Type::Double;
            break;
        case field::ints:
            of = Type::Int32;
            break;
        case field::longs:
            of = Type::Int64;
            break;
        default:
            continue;
        }
        if (fields.wire == Wire::Bytes && fields.bytes.empty()) {
            continue;
        }
        value = fields.number == field::content ? numberIn(fields.bytes, of) : onlyNumber(fields, of);
        ++values;
    }
    if (values == 1 && value) {
        scalar.value = value;
        scalar.isSingle = type == Type::Float;
    }
    return !fields.isBroken();
}

bool EventReader::readValue(std::string_view message, Scalar &scalar)
{
    Fields fields(message);
    while (fields.next()) {
        if (fields.is(field::tag, Wire::Bytes)) {
            scalar.tag = fields.bytes;
        } else if (fields.is(field::simpleValue, Wire::Fixed32)) {
            scalar.value = fields.asFloat();
            scalar.isSingle = true;
        } else if (fields.is(field::tensor, Wire::Bytes)) {
            if (!readTensor(fields.bytes, scalar)) {
                return false;
            }
        } else if (fields.is(field::metadata, Wire::Bytes)) {
            bool isScalar = false, isOther = false;
            Fields parts(fields.bytes);
            while (parts.next()) {
                if (parts.is(field::dataClass, Wire::Varint)) {
                    isScalar = isScalar || parts.integer == classScalar;
                } else if (parts.is(field::pluginData, Wire::Bytes)) {
                    Fields plugin(parts.bytes);
                    while (plugin.next()) {
                        if (plugin.is(field::pluginName, Wire::Bytes)) {
                            isOther = !plugin.bytes.empty() && plugin.bytes != "scalars";
                        }
                    }
                }
            }
            scalar.isOther = isOther && !isScalar;
        }
    }
    return !fields.isBroken();
}

bool EventReader::give(std::string_view summary, Point point, std::uint64_t offset, Output &output)
{
    Fields values(summary);
    while (values.next()) {
        if (!values.is(field::value, Wire::Bytes)) {
            continue;
        }
        Scalar scalar;
        const bool fine = readValue(values.bytes, scalar);
        if (scalar.value) {
            if (const std::optional<std::uint32_t> series = output.series(scalar.tag, offset)) {
                if (scalar.isOther) {
                    m_others.insert(*series); // only the first value of a tag says it
                }
                if (m_others.empty() || !m_others.contains(*series)) {
                    point.series = *series;
                    point.value = *scalar.value;
                    point.isSingle = scalar.isSingle;
                    output.point(point);
                }
            }
        }
        if (!fine) {
            return false;
        }
    }
    return !values.isBroken();
}

bool EventReader::read(std::string_view event, std::uint64_t offset, Output &output)
{
    Point point;
    bool hasSummary = false, isStart = false;
    Fields fields(event);
    while (fields.next()) {
        if (fields.is(field::wallTime, Wire::Fixed64)) {
            point.time = timeOfSeconds(fields.asDouble());
        } else if (fields.is(field::step, Wire::Varint)) {
            point.x = static_cast<double>(fields.asSigned());
        } else if (fields.is(field::summary, Wire::Bytes)) {
            hasSummary = true;
        } else if (fields.is(field::sessionLog, Wire::Bytes)) {
            Fields parts(fields.bytes);
            while (parts.next()) {
                isStart = isStart || (parts.is(field::status, Wire::Varint) && parts.integer == statusStart);
            }
        }
    }
    if (isStart) {
        output.voidFrom(point.x);
    }
    bool fine = !fields.isBroken();
    if (hasSummary) {
        Fields again(event);
        while (again.next()) {
            if (again.is(field::summary, Wire::Bytes)) {
                fine = give(again.bytes, point, offset, output) && fine;
            }
        }
    }
    return fine;
}

bool EventReader::saysAnything(std::string_view event)
{
    Fields fields(event);
    while (fields.next()) {
        if (fields.is(field::sessionLog, Wire::Bytes)) {
            return true;
        }
        if (!fields.is(field::summary, Wire::Bytes)) {
            continue;
        }
        Fields values(fields.bytes);
        while (values.next()) {
            Scalar scalar;
            if (values.is(field::value, Wire::Bytes) && readValue(values.bytes, scalar) && scalar.value) {
                return true;
            }
        }
    }
    return false;
}

} // namespace trainyard::metricfiles
